import type { Partnership } from '@hedgerow/contract/partnership'
import { CURRENCY_NAMES } from '@hedgerow/domain/money'
import { type Column, Table } from '@hedgerow/ui/table.tsx'
import { formatAmount } from '#shared/format-amount.ts'

type Balance = Partnership['balances'][number]
type Row = { of: Exclude<keyof Balance, 'currency'>; name: string; about: string }

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

const rows = (holdDays: number): Row[] => [
  { of: 'available', name: 'Available', about: 'You can withdraw it' },
  {
    of: 'pending',
    name: 'Pending',
    about: holdDays === 0 ? 'Available in a moment' : `Held for ${days(holdDays)}`,
  },
  { of: 'requested', name: 'Requested', about: 'Not paid yet' },
  { of: 'paid', name: 'Paid', about: 'So far' },
]

/** The partner account: one column for each currency, because nothing is converted. */
export const Balances = ({ balances, holdDays }: Pick<Partnership, 'balances' | 'holdDays'>) => {
  const columns: Column<Row>[] = [
    {
      header: 'Account',
      isName: true,
      cell: ({ name, about }) => (
        <>
          <span className="block">{name}</span>
          <span className="block text-sm font-normal text-quiet-ink">{about}</span>
        </>
      ),
    },
    ...balances.map(
      (balance): Column<Row> => ({
        header: CURRENCY_NAMES[balance.currency],
        isNumber: true,
        cell: ({ of }) => (
          <span className={of === 'available' ? 'font-semibold' : ''}>
            {formatAmount(balance[of], balance.currency)}
          </span>
        ),
      }),
    ),
  ]
  return (
    <Table isShort caption="Partner account" columns={columns} rows={rows(holdDays)} keyOf={({ of }) => of} />
  )
}
