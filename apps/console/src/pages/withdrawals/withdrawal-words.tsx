import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'

export type Withdrawal = ReplyOf<'listConsoleWithdrawals'>['rows'][number]

/** How it stands. */
export const WithdrawalBadge = ({ of: { status, batch, recalledAt } }: { of: Withdrawal }) => {
  if (status === 'paid') return <Badge tone="good">paid</Badge>
  if (status === 'refused') return <Badge tone="bad">refused</Badge>
  if (recalledAt) return <Badge tone="bad">recalled</Badge>
  return batch ? <Badge tone="quiet">with the bank</Badge> : <Badge tone="warning">waiting</Badge>
}
