import type { Connection } from '@hedgerow/contract/connections'
import { ConnectionTicket } from '#features/connections/connection-ticket.tsx'
import { FoldedTicket } from '#features/connections/folded-ticket.tsx'
import { isOver } from '#features/connections/is-over.ts'
import { RenewTogether } from '#features/connections/renew-together.tsx'
import { offersOf, type Renewals } from '#features/connections/renewal-offer.ts'
import { useNow } from '#features/connections/use-now.ts'

type ConnectionListProps = {
  connections: readonly Connection[]
  email: string
  renewals: Renewals
  onCancel: (paymentIds: readonly string[]) => void
}

/**
 * One ticket per connection, as they come: what is to be renewed first. Several together are so above the tickets, a single one
 * in its own. The one that is to be set up next is open, else the first, and whatever wants something of the customer.
 */
export const ConnectionList = ({ connections, email, renewals, onCancel }: ConnectionListProps) => {
  const now = useNow()
  const offers = offersOf(connections, renewals, now)
  const together = offers.filter(({ ids }) => ids.length > 1)
  const alone = new Map(
    offers.flatMap(({ ids: [id = '', ...more], path }) => (more.length ? [] : [[id, path]])),
  )
  const first = connections.find((one) => one.status === 'never-connected' && !isOver(one, now))
  const open = first ?? connections[0]
  return (
    <>
      {together.length > 0 && <RenewTogether offers={together} />}
      <ul className="grid gap-6">
        {connections.map((connection) => (
          <li key={connection._id} id={connection._id} className="scroll-mt-4">
            <FoldedTicket
              connection={connection}
              now={now}
              isOpen={connection === open || alone.has(connection._id) || connection.isUsedTwice === true}
            >
              <ConnectionTicket
                connection={connection}
                email={email}
                now={now}
                isFirst={connection === first}
                isRenewing={offers.some(({ ids }) => ids.includes(connection._id))}
                renewPath={alone.get(connection._id)}
                onCancel={onCancel}
              />
            </FoldedTicket>
          </li>
        ))}
      </ul>
    </>
  )
}
