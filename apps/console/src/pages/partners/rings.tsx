import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { countText } from '#lib/format.ts'
import { Money } from '#shared/money.tsx'

export type Ring = ReplyOf<'listRings'>['rings'][number]

const TIES = { card: 'One card', network: 'One network' } as const

const Account = ({ account }: { account: Ring['accounts'][number] }) => (
  <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2">
    {account.customerId ? (
      <Link to={`/customers/${account.customerId}`} className="link">
        {account.isPartner ? 'The partner’s own account' : `Customer ${account.customerId.slice(0, 8)}`}
      </Link>
    ) : (
      'A deleted account'
    )}
    {account.sums.map(({ payments, paid, earned }) => (
      <span key={paid.currency} className="text-quiet-ink">
        {countText(payments)} {payments === 1 ? 'payment' : 'payments'}, <Money of={paid} /> paid,{' '}
        <Money of={earned} /> earned
      </span>
    ))}
    {account.uncredited > 0 && (
      <span className="text-quiet-ink">{countText(account.uncredited)} not counted</span>
    )}
  </li>
)

/** Accounts that belong together, as it seems. */
export const Rings = ({ rings }: { rings: readonly Ring[] }) => (
  <ul className="space-y-4">
    {rings.map((ring) => (
      <li key={`${ring.partnerId} ${ring.tie} ${ring.name}`}>
        <p>
          <strong>
            {TIES[ring.tie]}: {ring.name}
          </strong>{' '}
          <Link to={`/partners/${ring.partnerId}`} className="link">
            {ring.promocode}
          </Link>
        </p>
        <ul className="divide-y divide-line">
          {ring.accounts.map((account, at) => (
            <Account key={account.customerId ?? at} account={account} />
          ))}
        </ul>
      </li>
    ))}
  </ul>
)
