import type { Db } from '#platform/database/client.ts'

/** A partner's transfers, the newest first, each with the earning that it moved. */
export const listTransfers = (
  db: Db,
  partnerId: string,
  { before, limit }: { before?: string | undefined; limit?: number } = {},
) =>
  db
    .selectFrom('ledger_transfers')
    .leftJoin('earnings', 'earnings.payment_id', 'ledger_transfers.payment_id')
    .selectAll('ledger_transfers')
    .select([
      'earnings.source',
      'earnings.level',
      'earnings.percentage',
      'earnings.available_at',
      'earnings.is_own_card',
    ])
    .where('ledger_transfers.partner_id', '=', partnerId)
    .$if(before !== undefined, (query) => query.where('ledger_transfers.id', '<', before ?? ''))
    .orderBy('ledger_transfers.id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()

export type ListedTransfer = Awaited<ReturnType<typeof listTransfers>>[number]

/** Every earning of a partner, the oldest first. */
export const listEarnings = (db: Db, partnerId: string) =>
  db
    .selectFrom('earnings')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .orderBy('earned_at')
    .orderBy('payment_id')
    .execute()

/** What the operator has said of a partner's promocode. */
export const findPromocodeTerms = (db: Db, partnerId: string) =>
  db
    .selectFrom('partners')
    .select(['promocode_limit', 'promocode_closed_at'])
    .where('customer_id', '=', partnerId)
    .executeTakeFirst()
