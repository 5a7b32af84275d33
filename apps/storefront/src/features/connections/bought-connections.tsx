import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { BoughtTicket } from '#features/connections/bought-ticket.tsx'

const endOf = ({ expirationDate }: Connection) =>
  expirationDate === null ? 'never expires' : `until ${formatLocalTime(new Date(expirationDate))}`

/** Those of which a payment has bought days, new ones first: they are to be set up. As long as it may be cancelled. They stay in their order when one is renamed. */
export const boughtBy = (connections: readonly Connection[], paymentId: string): Connection[] =>
  connections
    .filter(({ cancellable = [] }) => cancellable.some((bought) => bought.paymentId === paymentId))
    .toSorted(
      (one, other) => Number(other.status === 'never-connected') - Number(one.status === 'never-connected'),
    )

/** The first of them as a ticket, to be set up at once; the others in a line each. */
export const BoughtConnections = ({ connections }: { connections: readonly Connection[] }) => {
  const [first, ...others] = connections
  if (!first) return null
  return (
    <section aria-labelledby="bought">
      {first.status === 'never-connected' && !first.isUnreadable && !first.hasOwnKey && (
        <p className="-mt-3 mb-6 text-lg text-quiet-ink">Three steps and you are connected.</p>
      )}
      <h2 id="bought" className="mb-4 text-xl">
        {connections.length === 1 ? 'Your connection' : `Your ${connections.length} connections`}
      </h2>
      <BoughtTicket connection={first} />
      {others.length > 0 && (
        <ul className="mt-4 divide-y divide-line rounded-card border border-line bg-surface px-5 sm:px-6">
          {others.map((one) => (
            <li key={one._id} className="flex flex-wrap justify-between gap-x-6 py-3">
              <span className="min-w-0 font-medium wrap-anywhere">{one.name}</span>
              <span className="text-quiet-ink tabular-nums">{`${one.location.name}, ${endOf(one)}`}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
