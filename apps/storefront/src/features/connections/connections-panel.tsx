import type { Connection } from '@hedgerow/contract/connections'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Switch } from '@hedgerow/ui/switch.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { ConnectionList } from '#features/connections/connection-list.tsx'
import { DownloadAll } from '#features/connections/download-all.tsx'
import { useHandheld } from '#features/connections/handheld.ts'
import { useHiddenCodes } from '#features/connections/hidden-codes.ts'
import { isOver } from '#features/connections/is-over.ts'
import type { Renewals } from '#features/connections/renewal-offer.ts'
import { useNow } from '#features/connections/use-now.ts'
import { readAllConnections } from '#shared/profile-query.ts'
import { useSession } from '#shared/session.tsx'
import { ShowMore } from '#shared/show-more.tsx'
import { useConnections } from '#shared/use-connections.ts'

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
  const queryClient = useQueryClient()
  if (connections.every((one) => isOver(one, now))) return null
  const working = (all: readonly Connection[]) => all.filter((one) => !isOver(one, now) && !one.isUnreadable)
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      {!device && <Switch label="Hide codes until I press Show" checked={isHidden} onChange={setIsHidden} />}
      {working(connections).filter(({ hasOwnKey }) => !hasOwnKey).length > 1 && (
        <DownloadAll read={async () => working(await readAllConnections(queryClient))} />
      )}
    </div>
  )
}

export const ConnectionsPanel = ({ renewals, onCancel }: ConnectionsPanelProps) => {
  const { profile } = useSession()
  const device = useHandheld()
  const [wanted, setWanted] = useState(0)
  const { connections, hasMore, isReading, error, retry } = useConnections((all) => all.length >= wanted)
  const list = useRef<HTMLDivElement>(null)
  if (!profile) return null
  return (
    <section aria-labelledby="connections">
      <h2 id="connections" className="text-xl">
        Connections
      </h2>
      {connections.length > 0 ? (
        <>
          <p className="mt-1 max-w-measure text-quiet-ink">
            <span>
              {device
                ? `Each connection is for one device: this ${device.kind}, or another.`
                : 'Scan a code with the WireGuard app, or open the file on the device.'}
            </span>{' '}
            <Link to="/clients" className="link">
              How to connect
            </Link>
          </p>
          {!device && <ForAll connections={connections} />}
          <div ref={list} className="mt-5">
            <ConnectionList
              connections={connections}
              email={profile.email}
              renewals={renewals}
              onCancel={onCancel}
            />
          </div>
          <ShowMore
            what="connections"
            shown={connections.length}
            hasMore={hasMore}
            isBusy={isReading}
            error={error}
            onMore={() => (error ? retry() : setWanted(connections.length + 1))}
            list={list}
            items="h3"
          />
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
