import { until } from '@hedgerow/testing/until'
import { beforeAll, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { hurry } from '#testing/jobs.ts'
import { paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { DAYS, settlement } from '#testing/settlement.ts'
import {
  actAtStripe,
  aStripePurchase,
  askStripe,
  sellByStripe,
  sessionOf,
  typeAtStripe,
} from '#testing/stripe.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
beforeAll(() => sellByStripe(shop))

const OF_STRIPE = [...DAYS, '--gateway', 'stripe']
const fetchStripe = async () => (await settlement(shop, 'fetch', ...OF_STRIPE, '--json')).json
const showStripe = async () => (await settlement(shop, 'show', ...OF_STRIPE, '--json')).json

const refund = async (paymentId: string, amountMinor?: number) => {
  await requestRefund(shop, { paymentId, amountMinor, isAgain: true })
  await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
}

const disputed = async (paymentId: string, end?: 'won' | 'lost') => {
  const { id: charge } = (await sessionOf(shop, paymentId)).payment_intent.latest_charge
  const { id } = await actAtStripe(shop, `charges/${charge}/dispute`, { reason: 'fraudulent' })
  const isTold = (status: string) =>
    until(async () => {
      await hurry(shop, 'watch-disputes')
      const rows = await shop.db.selectFrom('disputes').select('status').where('gate_id', '=', id).execute()
      return rows[0]?.status === status
    })
  await isTold('open')
  if (end === undefined) return
  await actAtStripe(shop, `disputes/${id}/move`, { status: end })
  if (end === 'won') await isTold('won')
}

/** A sale of somebody else on the same account, which looks as ours do, and half of it given back. */
const sellElsewhere = async (paymentId: string) => {
  const session = await askStripe(shop, 'checkout/sessions', {
    mode: 'payment',
    success_url: 'https://elsewhere.example/',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'gbp',
    'line_items[0][price_data][unit_amount]': '5000',
    'line_items[0][price_data][product_data][name]': 'A bicycle bell',
    'payment_intent_data[metadata][payment_id]': paymentId,
  })
  await typeAtStripe(session.url)
  const { payment_intent } = await askStripe(shop, `checkout/sessions/${session.id}`)
  await askStripe(shop, 'refunds', { payment_intent, amount: '2500' })
}

test('Stripe’s books agree with the shop on sales, refunds, disputes and payouts; other shops’ money stays apart', async () => {
  const [part, failed, open, won] = [
    await aStripePurchase(shop),
    await aStripePurchase(shop),
    await aStripePurchase(shop),
    await aStripePurchase(shop),
  ]
  await refund(part.paymentId, 500)
  await refund(failed.paymentId)
  const [{ id: refundId }] = (await askStripe(shop, 'refunds?limit=1')).data
  await disputed(open.paymentId)
  await disputed(won.paymentId, 'won')
  await sellElsewhere(part.paymentId)
  await sellElsewhere('f'.repeat(32))
  expect(await fetchStripe()).toMatchObject({ operations: 13, new: 13, unreadable: [], isWhole: true })
  const before = await showStripe()
  expect(before).toMatchObject({ gateway: 'stripe', onlyAtGateway: [], onlyInShop: [], differing: [] })
  // The account's currency is not the sale's: what the customer paid is compared, what was booked is added up.
  const { charged_minor: charged } = await paymentRow(shop, part.paymentId)
  const booked = Math.round(charged * 0.86)
  expect(before.currencies).toMatchObject([
    {
      currency: 'GBP',
      sales: ((4 * booked) / 100).toFixed(2),
      chargebacks: ((-2 * booked) / 100).toFixed(2),
      representments: (booked / 100).toFixed(2),
    },
  ])
  expect(Number(before.currencies[0].otherShops)).toBeGreaterThan(40)

  // A sale of which the shop has not heard yet is found by what it told Stripe.
  const unheard = shop.db.updateTable('payments').where('id', '=', failed.paymentId)
  const { gate_request_id } = await paymentRow(shop, failed.paymentId)
  await unheard.set({ gate_request_id: null }).execute()
  expect(await fetchStripe()).toMatchObject({ same: 13, changed: [] })
  await unheard.set({ gate_request_id }).execute()

  // The bank sends back a payout that was paid, and a refund that was made.
  const { id: payout } = await actAtStripe(shop, 'payouts')
  await until(async () => (await askStripe(shop, `payouts/${payout}`)).status === 'paid')
  await fetchStripe()
  expect((await showStripe()).currencies).toMatchObject([{ change: '0.00' }])
  expect((await showStripe()).payouts).toMatchObject([{ kind: 'payout', type: 'payout' }])
  await actAtStripe(shop, `payouts/${payout}/fail`)
  await actAtStripe(shop, `refunds/${refundId}/fail`)
  await until(async () => (await refundsOf(shop, failed.paymentId))[0]?.is_by_hand)
  await resolveRefund(shop, { paymentId: failed.paymentId, verdict: 'sent' })
  expect(await fetchStripe()).toMatchObject({ operations: 16, new: 2, same: 14, changed: [] })
  const after = await showStripe()
  expect(after).toMatchObject({ onlyAtGateway: [], onlyInShop: [], differing: [], payouts: [] })
  expect(after.currencies).toMatchObject([{ payouts: '0.00' }])
  expect((await settlement(shop, 'list', '--json')).json.open).toEqual([])
})
