import { randomUUID } from 'node:crypto'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import type { TestCustomer } from '#testing/customers.ts'
import { connectionsOf } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner } from '#testing/renewals.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db' | 'call'>
type Asking = { token: string | undefined }

const pathOf = (paymentId: string) => `/api/v1/payment/${paymentId}/cancellation`

/** What cancelling it would come to. */
export const preview = ({ call }: Shop, { token }: Asking, paymentId: string) =>
  call('GET', pathOf(paymentId), { token })

/** Presses the button that cancels it. */
export const cancel = ({ call }: Shop, { token }: Asking, paymentId: string, body: object = {}) =>
  call('POST', pathOf(paymentId), { token, body })

/** So many days pass for all that a customer has bought. */
export const letDaysPass = async ({ db }: Shop, { id }: Pick<TestCustomer, 'id'>, days: number) => {
  const time = sql`${days}::float * interval '24 hours'`
  const own = sql`(select id from connections where customer_id = ${id})`
  await sql`update payments set created_at = created_at - ${time}, ended_at = ended_at - ${time},
    delivered_at = delivered_at - ${time}, cancelled_at = cancelled_at - ${time} where customer_id = ${id}`.execute(
    db,
  )
  await sql`update refunds set ended_at = ended_at - ${time} where payment_id in (
    select id from payments where customer_id = ${id})`.execute(db)
  await sql`update renewals set created_at = created_at - ${time}, old_end = old_end - ${time},
    new_end = new_end - ${time} where connection_id in ${own}`.execute(db)
  await sql`update connections set created_at = created_at - ${time}, expires_at = expires_at - ${time},
    ended_by_hand = array(select ended - ${time} from unnest(ended_by_hand) as ended) where id in ${own}`.execute(
    db,
  )
}

/** What someone who cannot log in fills in. */
export const aStatement = <F extends object>(fields: F = {} as F) => ({
  id: randomUUID(),
  name: 'Ada Lovelace',
  email: `${randomUUID().slice(0, 13)}@example.org`,
  contract: 'Invoice 2026-000042',
  ...fields,
})

export const declare = ({ call }: Shop, body: object) => call('POST', '/api/v1/cancellations', { body })

/** All refunds of a payment have gone back. */
export const refundsEnded = (shop: TestShop, paymentId: string) =>
  until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))

export const profileOf = async ({ call }: Shop, token: string) =>
  (await call('GET', '/api/v1/user/profile', { token })).body
export const historyOf = async ({ call }: Shop, token: string) =>
  (await call('GET', '/api/v1/payment/history', { token })).body

/** Whether all that a payment made has ended, and no node keeps it. */
export const isOver = async (shop: TestShop, paymentId: string) =>
  (await connectionsOf(shop, paymentId)).every(
    ({ expires_at, removed_at }) => removed_at !== null && Number(expires_at) <= Date.now(),
  )

/** €30.00 for three connections and 30 days, ten of which are over. */
export const aThirdUsed = async (shop: TestShop) => {
  const bought = await anOwner(shop)
  await letDaysPass(shop, bought.customer, 10)
  return bought
}
