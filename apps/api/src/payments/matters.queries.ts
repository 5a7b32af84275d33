import { type SqlBool, sql } from 'kysely'
import type { Db } from '#database/client.ts'

/** The shop asks the gateway about a payment for so long. */
const STUCK_AFTER = sql`interval '1 day'`
/** What was refused is not told for ever: it may have been settled without the shop. */
export const REFUSED_FOR = sql`interval '30 days'`

/** What there may be to do about a payment, and of which payments it holds. */
const CONDITIONS = {
  'no-room': sql<SqlBool>`(payments.status = 'Success' and payments.delivered_at is null
    and not payments.refund_due and payments.refunded_minor < payments.charged_minor)`,
  stuck: sql<SqlBool>`(payments.ended_at is null and payments.abandoned_at is null
    and payments.created_at < now() - ${STUCK_AFTER})`,
  'refund-by-hand': sql<SqlBool>`payments.id in (
    select payment_id from refunds where refunds.status = 'Pending' and is_by_hand)`,
  // And no other was asked for since.
  'refund-refused': sql<SqlBool>`payments.id in (
    select payment_id from refunds where refunds.status = 'Decline' and refunds.ended_at > now() - ${REFUSED_FOR}
      and not exists (select from refunds as later where later.payment_id = refunds.payment_id
        and later.id <> refunds.id and later.created_at >= refunds.created_at))`,
} as const

export type Matter = keyof typeof CONDITIONS
export const MATTERS = Object.keys(CONDITIONS) as readonly Matter[]

export const isMatter = (matter: Matter) => CONDITIONS[matter]

export const countMatter =
  (matter: Matter) =>
  async (db: Db): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from payments where ${CONDITIONS[matter]}`.execute(db)
    return rows[0]?.count ?? 0
  }
