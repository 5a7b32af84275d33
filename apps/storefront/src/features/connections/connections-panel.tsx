import { Link } from 'wouter'
import { ConnectionList } from '#features/connections/connection-list.tsx'
import { useSession } from '#shared/session.tsx'

type ConnectionsPanelProps = {
  /** Asks about one of these payments, to cancel it. */
  onCancel: (paymentIds: readonly string[]) => void
}

export const ConnectionsPanel = ({ onCancel }: ConnectionsPanelProps) => {
  const { profile } = useSession()
  if (!profile) return null
  return (
    <section aria-labelledby="connections">
      <h2 id="connections" className="text-xl">
        Connections
      </h2>
      {profile.connections.length > 0 && (
        <p className="mt-1 text-quiet-ink">
          Scan a code with the WireGuard app, or open the file on the device.{' '}
          <Link to="/clients" className="link">
            How to connect
          </Link>
        </p>
      )}
      <div className="mt-5">
        <ConnectionList connections={profile.connections} email={profile.email} onCancel={onCancel} />
      </div>
    </section>
  )
}
