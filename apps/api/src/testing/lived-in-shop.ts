import { randomUUID } from 'node:crypto'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aNode, announceNode, type TestAgent } from '#testing/nodes.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { anEarning } from '#testing/partners.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { aPurchase, CARDS, challengeOf, connectionsOf, reached, startPayment } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { refundAtGateway } from '#testing/refunds.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** Words that a file of lines could stumble over. */
const AWKWARD =
  'Tab\there, and a line\n\\.\nthat ends nothing: \\N, "quotes", {braces} and a ☂ in Zoë’s \u{1f33f}.'

export type LivedIn = {
  customers: TestCustomer[]
  agent: TestAgent
  /** The payment whose customer is at the bank's page. */
  openPaymentId: string
  /** An order that was paid and has its invoice. */
  paid: { customer: TestCustomer; order: TestOrder; paymentId: string }
}

const buyInEveryWay = async (shop: TestShop, customer: TestCustomer): Promise<void> => {
  await setRate(shop, 'EUR', 4_250_000)
  const blik = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
  await reached(shop, blik, 'awaiting customer action', 'awaiting redirect result')
  await answerElsewhere(shop, blik)
  await reached(shop, blik, 'Success')
  const bank = await startBy(payByBank, shop, customer, await anOrder(shop, customer, { currency: 'GBP' }), {
    bankId: BANKS.noConsent,
  })
  await reached(shop, bank, 'awaiting redirect result')
  await answerElsewhere(shop, bank)
  await reached(shop, bank, 'Success')
  const plan = await startSale(shop, customer, planFor('Ethernity'))
  await reached(shop, plan, 'Success')
  const declined = await startPayment(shop, customer, await anOrder(shop, customer), { pan: CARDS.declined })
  await reached(shop, declined, 'Decline')
  await anOrder(shop, customer, { days: 7 })
}

const changeConnections = async (
  shop: TestShop,
  { token }: TestCustomer,
  paymentId: string,
): Promise<void> => {
  const [first, second] = await connectionsOf(shop, paymentId)
  const change = (path: string, method: string, body?: unknown) =>
    shop.call(method, `/api/v1/connections/${path}`, { token, ...(body ? { body } : {}) })
  await change(`${first?.id}/keys`, 'POST')
  await change(`${second?.id}/link`, 'POST')
  await change(`${second?.id}`, 'PUT', { name: 'Küche' })
}

/** A shop that has seen all that a shop sees: every way to pay, refunds, renewals, an account that went, work under way. */
export const liveIn = async (shop: TestShop): Promise<LivedIn> => {
  const agent = await aNode(shop, { name: 'London' })
  await announceNode(shop, { name: 'Leeds' })
  const [ada, ben, eve] = [
    await aCustomer(shop, { name: 'Ada Lovelace' }),
    await aCustomer(shop, { name: 'Ben \\N O’Neill' }),
    await aCustomer(shop, { name: 'Eve', isConfirmed: false }),
  ] as const
  // Each was brought by the other: no order of rows suits both.
  await sql`update customers set referred_by = case id when ${ada.id} then ${ben.id}::uuid else ${ada.id}::uuid end
    where id in (${ada.id}, ${ben.id})`.execute(shop.db)
  await shop.call('POST', '/api/v1/support', {
    token: ada.token,
    body: { id: randomUUID(), name: 'Ada', problem: AWKWARD },
  })

  const bought = await aPurchase(shop, { days: 30, features: { feature1: true, feature2: true } }, {}, ada)
  const renewed = (await connectionsOf(shop, bought.paymentId)).map(({ id }) => id)
  await aPurchase(shop, { days: 10, renew: renewed, features: { feature1: true, feature2: true } }, {}, ada)
  await changeConnections(shop, ada, bought.paymentId)
  await buyInEveryWay(shop, ben)
  const back = await aPurchase(shop, {}, {}, ben)
  await refundAtGateway(shop, back.paymentId, { amount: 1050, currency: 'EUR' })
  const gone = await aPurchase(shop)
  await eraseAccount(shop, gone.customer)
  await agent.catchUp()

  const order = await anOrder(shop, ben, { days: 3 })
  const openPaymentId = await startPayment(shop, ben, order, { pan: CARDS.challenged })
  await challengeOf(shop, openPaymentId)
  await hurry(shop, 'issue-invoices')
  await until(async () => {
    const { rows } =
      await sql`select from payments where status = 'Success' and not is_invoiced and not refund_due`.execute(
        shop.db,
      )
    return rows.length === 0
  })
  // The partner of each buyer has their share, and one of them has asked for it.
  await creditPartners(shop)
  await anEarning(shop, ada.id, 30_000)
  const body = { currency: 'EUR', amount: 260, accountHolder: 'Ada Lovelace', iban: 'DE89370400440532013000' }
  await shop.call('POST', '/api/v1/partnership/withdrawals', { token: ada.token, body })
  return { customers: [ada, ben, eve], agent, openPaymentId, paid: { ...bought, customer: ada } }
}
