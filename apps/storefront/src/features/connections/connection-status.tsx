import type { ConnectionStatus as Status } from '@hedgerow/domain/connections'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Link } from 'wouter'

const LABELS: Readonly<Record<Exclude<Status, 'expired'>, string>> = {
  'never-connected': 'Never connected',
  connected: 'Connected today',
  idle: 'Idle',
}

type ConnectionStatusProps = {
  status: Status
  /** How to connect stands in the ticket itself. */
  hasSteps: boolean
}

/** Of one that has expired the ticket's stamp says so. */
export const ConnectionStatus = ({ status, hasSteps }: ConnectionStatusProps) => {
  if (status === 'expired') return null
  return (
    <>
      <Badge tone={status === 'connected' ? 'good' : 'quiet'}>{LABELS[status]}</Badge>
      {status === 'never-connected' && !hasSteps && (
        <Link to="/clients" className="link inline-flex min-h-11 items-center text-sm">
          How to connect
        </Link>
      )}
    </>
  )
}
