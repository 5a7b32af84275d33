import { DAY_MS } from '@hedgerow/domain/dates'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import type { TestCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import type { Choice } from '#testing/orders.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** A customer with three connections for 30 days. */
export const anOwner = async (shop: TestShop, choice: Partial<Choice> = {}) => {
  const { customer, paymentId } = await aPurchase(shop, choice)
  const rows = await connectionsOf(shop, paymentId)
  return { customer, paymentId, ids: rows.map(({ id }) => id), rows }
}

export const connectionRow = ({ db }: Pick<TestShop, 'db'>, id: string) =>
  db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Extends by card. */
export const renew = (
  shop: TestShop,
  customer: TestCustomer,
  ids: readonly string[],
  choice: Partial<Choice> = {},
) => aPurchase(shop, { days: 10, ...choice, renew: ids }, {}, customer)

export const refundWhole = async (shop: TestShop, paymentId: string) => {
  await requestRefund(shop, { paymentId })
  await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
}

export const daysBetween = (from: Date | null | undefined, to: Date | null | undefined) =>
  ((to?.getTime() ?? Number.NaN) - (from?.getTime() ?? Number.NaN)) / DAY_MS

/** Of two invoices the one with the higher number; their mails come in whatever order. */
export const secondReceipt = async (shop: TestShop, { email }: TestCustomer) => {
  const mails = mailbox(shop)
  const both = await until(async () => {
    await hurry(shop, 'issue-invoices')
    const list = await mails.list(email, 'Your receipt')
    return list.length === 2 && list
  })
  const subjects = both.map(({ subject }) => subject).toSorted()
  return mails.latest(email, subjects[1] ?? '')
}

export const moveEnd = ({ db }: Pick<TestShop, 'db'>, id: string, days: number) =>
  sql`update connections set expires_at = now() + ${days}::float * interval '24 hours',
    created_at = now() - interval '60 days' where id = ${id}`.execute(db)
