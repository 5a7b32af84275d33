import type { Insertable } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { PartnerBillingTable } from '#platform/database/tables/partnership.table.ts'

export const findBilling = (db: Db, partnerId: string) =>
  db.selectFrom('partner_billing').selectAll().where('partner_id', '=', partnerId).executeTakeFirst()

export type BillingRow = NonNullable<Awaited<ReturnType<typeof findBilling>>>

/** To be called with the partner locked. */
export const saveBilling = async (
  trx: Trx,
  { partner_id, ...rest }: Insertable<PartnerBillingTable>,
): Promise<void> => {
  await trx
    .insertInto('partner_billing')
    .values({ partner_id, ...rest })
    .onConflict((conflict) => conflict.column('partner_id').doUpdateSet(rest))
    .execute()
}

export const deleteBilling = async (trx: Trx, partnerId: string): Promise<void> => {
  await trx.deleteFrom('partner_billing').where('partner_id', '=', partnerId).execute()
}
