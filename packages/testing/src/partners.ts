import { aCustomer, type TestCustomer } from './customers.ts'
import type { TestShop } from './test-shop.ts'

export type TestPartner = TestCustomer & { promocode: string }

type Standing = {
  /** Completed payments that count towards the level. */
  transactions?: number
  /** How often the promocode may be used. */
  promocode_limit?: number | null
  promocode_closed_at?: Date | null
}

type Shop = Pick<TestShop, 'db'>

/** Changes how a partner stands, whatever led to it. */
export const setStanding = async ({ db }: Shop, { id }: Pick<TestCustomer, 'id'>, standing: Standing) => {
  await db
    .insertInto('partners')
    .values({ customer_id: id, ...standing })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet({ customer_id: id, ...standing }))
    .execute()
}

/** A customer whose promocode others use; at the first level, if nothing is said. */
export const aPartner = async (shop: Shop, standing: Standing = {}): Promise<TestPartner> => {
  const customer = await aCustomer(shop)
  await setStanding(shop, customer, standing)
  const { promocode } = await shop.db
    .selectFrom('customers')
    .select('promocode')
    .where('id', '=', customer.id)
    .executeTakeFirstOrThrow()
  return { ...customer, promocode }
}

export const partnerRow = ({ db }: Shop, { id }: Pick<TestCustomer, 'id'>) =>
  db.selectFrom('partners').selectAll().where('customer_id', '=', id).executeTakeFirstOrThrow()

/** What a payment has earned its partner; undefined when nothing is credited. */
export const earningOf = ({ db }: Shop, paymentId: string) =>
  db.selectFrom('earnings').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()
