import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken } from '#crypto/tokens.ts'
import type { TestCustomer } from '#testing/customers.ts'
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
  await sql`update renewals set created_at = created_at - ${time}, old_end = old_end - ${time},
    new_end = new_end - ${time} where connection_id in ${own}`.execute(db)
  await sql`update connections set created_at = created_at - ${time}, expires_at = expires_at - ${time},
    ended_by_hand = array(select ended - ${time} from unnest(ended_by_hand) as ended) where id in ${own}`.execute(
    db,
  )
}

/** The customer has logged in longer ago than the shop takes for recent. */
export const letLogInAge = ({ db }: Shop, { token }: Pick<TestCustomer, 'token'>, minutes = 16) =>
  sql`update sessions set created_at = now() - make_interval(mins => ${minutes})
    where token_hash = ${hashToken(token)}`.execute(db)

/** What somebody who cannot log in fills in. */
export const aStatement = <F extends object>(fields: F = {} as F) => ({
  id: randomUUID(),
  name: 'Ada Lovelace',
  email: `${randomUUID().slice(0, 13)}@example.org`,
  contract: 'Invoice 2026-000042',
  ...fields,
})

export const declare = ({ call }: Shop, body: object) => call('POST', '/api/v1/cancellations', { body })
