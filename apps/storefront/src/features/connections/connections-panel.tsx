import type { Connection } from '@hedgerow/contract/connections'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Switch } from '@hedgerow/ui/switch.tsx'
import { Link } from 'wouter'
import { ConnectionList } from '#features/connections/connection-list.tsx'
import { DownloadAll } from '#features/connections/download-all.tsx'
import { useHandheld } from '#features/connections/handheld.ts'
import { useHiddenCodes } from '#features/connections/hidden-codes.ts'
import { isOver } from '#features/connections/is-over.ts'
import type { Renewals } from '#features/connections/renewal-offer.ts'
import { useNow } from '#features/connections/use-now.ts'
import { useSession } from '#shared/session.tsx'

type ConnectionsPanelProps = {
  renewals: Renewals
  /** Asks about one of these payments, to cancel it. */
  onCancel: (paymentIds: readonly string[]) => void
}

/** What goes for all tickets at once. */
const ForAll = ({ connections }: { connections: readonly Connection[] }) => {
  const now = useNow()
  const device = useHandheld()
  const [isHidden, setIsHidden] = useHiddenCodes()
  const active = connections.filter((one) => !isOver(one, now))
  if (active.length === 0) return null
  const readable = active.filter((one) => !one.isUnreadable)
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      {!device && <Switch label="Hide codes until I press Show" checked={isHidden} onChange={setIsHidden} />}
      {readable.length > 1 && <DownloadAll connections={readable} />}
    </div>
  )
}

export const ConnectionsPanel = ({ renewals, onCancel }: ConnectionsPanelProps) => {
  const { profile } = useSession()
  const device = useHandheld()
  if (!profile) return null
  const { connections, email } = profile
  return (
    <section aria-labelledby="connections">
      <h2 id="connections" className="text-xl">
        Connections
      </h2>
      {connections.length > 0 ? (
        <>
          <p className="mt-1 max-w-measure text-quiet-ink">
            {device
              ? `Each connection is for one device: this ${device.kind}, or another.`
              : 'Scan a code with the WireGuard app, or open the file on the device.'}{' '}
            <Link to="/clients" className="link">
              How to connect
            </Link>
          </p>
          {!device && <ForAll connections={connections} />}
          <div className="mt-5">
            <ConnectionList connections={connections} email={email} renewals={renewals} onCancel={onCancel} />
          </div>
          {/* On a phone one connection is looked for, not all of them. */}
          {device && <ForAll connections={connections} />}
        </>
      ) : (
        <div className="mt-5">
          <EmptyState
            title="Please choose your price plan to use our service."
            action={<ButtonLink to="/products">See the prices</ButtonLink>}
          />
        </div>
      )}
    </section>
  )
}
