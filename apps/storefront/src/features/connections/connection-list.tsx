import type { Connection } from '@hedgerow/contract/connections'
import { ConnectionIndex } from '#features/connections/connection-index.tsx'
import { ConnectionTicket } from '#features/connections/connection-ticket.tsx'
import { isOver } from '#features/connections/is-over.ts'
import { useNow } from '#features/connections/use-now.ts'
import { ButtonLink } from '#ui/button.tsx'
import { EmptyState } from '#ui/page/empty-state.tsx'

/** More tickets than this are a long way to scroll. */
const IN_ONE_LOOK = 6

type ConnectionListProps = {
  connections: readonly Connection[]
  email: string
  onCancel: (paymentIds: readonly string[]) => void
}

const endOf = ({ expirationDate }: Connection) => (expirationDate === null ? null : new Date(expirationDate))

/** What ends next comes first; those that are over come last, the latest of them first. */
const inOrder = (connections: readonly Connection[], now: Date) => {
  const away = (one: Connection) =>
    Math.abs((endOf(one)?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime())
  return connections.toSorted(
    (one, other) => Number(isOver(one, now)) - Number(isOver(other, now)) || away(one) - away(other),
  )
}

/** One ticket per connection. */
export const ConnectionList = ({ connections, email, onCancel }: ConnectionListProps) => {
  const now = useNow()
  if (connections.length === 0) {
    return (
      <EmptyState
        title="Please choose your price plan to use our service."
        action={<ButtonLink to="/products">See the prices</ButtonLink>}
      />
    )
  }
  const sorted = inOrder(connections, now)
  return (
    <>
      {sorted.length > IN_ONE_LOOK && <ConnectionIndex connections={sorted} />}
      <ul className="grid gap-6">
        {sorted.map((connection) => (
          <li key={connection._id} id={connection._id} className="scroll-mt-4">
            <ConnectionTicket connection={connection} email={email} now={now} onCancel={onCancel} />
          </li>
        ))}
      </ul>
    </>
  )
}
