import type { Withdrawal } from '@hedgerow/contract/partnership'
import { formatDate, formatDateTime } from '@hedgerow/domain/dates'
import type { WithdrawalStatus } from '@hedgerow/domain/withdrawals'
import { moneyOf } from '#features/partnership/money-of.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { type Column, Table } from '#ui/table.tsx'

const STATES: Record<WithdrawalStatus, { text: string; tone: BadgeTone }> = {
  requested: { text: 'Asked for', tone: 'quiet' },
  paid: { text: 'Paid', tone: 'good' },
  refused: { text: 'Refused', tone: 'bad' },
}

const METHODS = { iban: 'IBAN', sort_code: 'Account' } as const

const COLUMNS: Column<Withdrawal>[] = [
  {
    header: 'Asked on',
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(new Date(createdAt))}</span>,
  },
  { header: 'To', cell: ({ method, endsWith }) => `${METHODS[method]} …${endsWith}` },
  {
    header: 'Status',
    cell: ({ status, reason, reference, endedAt }) => (
      <>
        <Badge tone={STATES[status].tone}>{STATES[status].text}</Badge>
        {reason && <span className="mt-1 block text-sm wrap-anywhere text-quiet-ink">{reason}</span>}
        {reference && (
          <span className="mt-1 block text-sm wrap-anywhere text-quiet-ink">Reference {reference}</span>
        )}
        {endedAt && (
          <span className="mt-1 block text-sm text-quiet-ink">{formatDate(new Date(endedAt))}</span>
        )}
      </>
    ),
  },
  {
    header: 'Amount',
    cell: ({ amount, currency }) => (
      <span className="font-medium whitespace-nowrap">{moneyOf(amount, currency)}</span>
    ),
    isNumber: true,
  },
]

/** What was asked for, and what came of it. */
export const Withdrawals = ({ withdrawals }: { withdrawals: readonly Withdrawal[] }) => (
  <Table caption="Withdrawals" columns={COLUMNS} rows={withdrawals} keyOf={({ _id }) => _id} />
)
