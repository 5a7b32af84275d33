import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'

type Promocode = ReplyOf<'listConsolePromocodes'>['rows'][number]

/** Whether it can be used. */
export const PromocodeBadge = ({ of: { closedAt, limit, uses } }: { of: Promocode }) => {
  if (closedAt) return <Badge tone="quiet">closed</Badge>
  return limit !== null && uses >= limit ? (
    <Badge tone="warning">used up</Badge>
  ) : (
    <Badge tone="good">open</Badge>
  )
}
