import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { applyRefundUpdates, requestRefund } from '#money/refunds/refunds.service.ts'
import { creditPartners, matureEarnings } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { cancel, letDaysPass } from '#testing/cancellations.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import {
  anEarning,
  aPaidPayment,
  aPartner,
  aReferred,
  balanceOf,
  earningOf,
  endHolds,
  letCredit,
  partnershipOf,
  settle,
} from '#testing/partners.ts'
import { answerElsewhere, BANKS, payByBank, startBy } from '#testing/payment-methods.ts'
import { aPurchase, paymentRow, reached } from '#testing/payments.ts'
import { refundAtGateway, refundsOf } from '#testing/refunds.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const round = () => hurry(shop, 'credit-partners')

const NOTHING = { available: 0, pending: 0, requested: 0, paid: 0 }

/** Moves the end of every hold of a partner's, as so many days do. */
const daysPass = async (partner: TestCustomer, days: number): Promise<void> => {
  await sql`update earnings set available_at = available_at - make_interval(days => ${days})
    where partner_id = ${partner.id} and matured_at is null`.execute(shop.db)
}

/** The gateway tells that so much of the payment went back. */
const refunded = async (paymentId: string, amountMinor?: number): Promise<void> => {
  const { charged_minor, charged_currency, refunded_minor } = await paymentRow(shop, paymentId)
  const update = {
    operationId: crypto.randomUUID(),
    requestId: undefined,
    refundId: undefined,
    status: 'success' as const,
    amountMinor: amountMinor ?? charged_minor - refunded_minor,
    currency: charged_currency,
    code: '0',
  }
  expect(await applyRefundUpdates(shop, paymentId, [update])).toBe(true)
}

const aPaymentFor = async (partner: TestCustomer, amountMinor: number): Promise<string> => {
  const buyer = await aCustomer(shop)
  const paymentId = await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor })
  await creditPartners(shop)
  return paymentId
}

const withdraw = async ({ token }: TestCustomer, amount: number): Promise<string> => {
  const bank = { accountHolder: 'Ada', iban: 'DE89370400440532013000' }
  const body = { currency: 'EUR', amount, ...bank }
  const reply = await shop.call('POST', '/api/v1/partnership/withdrawals', { token, body })
  expect(reply.status, reply.text).toBe(201)
  return reply.body._id
}

const statementOf = async ({ token }: TestCustomer, before?: string) => {
  const query = before ? `?before=${before}` : ''
  return (await shop.call('GET', `/api/v1/partnership/statement${query}`, { token })).body
}

const movesOf = async (partner: TestCustomer) =>
  (await statementOf(partner)).entries.map(
    ({ kind, from, to, amount }: Record<string, unknown>) => `${kind}: ${from} → ${to} ${amount}`,
  )

afterEach(async () => {
  expect(await checkBooks(shop)).toEqual([])
})

describe('what a partner earns', () => {
  test('is pending when a referred customer has bought, and available 14 days later, not sooner', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(shop, partner)
    await aPurchase(shop, {}, {}, buyer)
    // A tenth of 30.00.
    await until(async () => (await balanceOf(shop, partner)).pending === 3)
    await daysPass(partner, 13)
    expect(await matureEarnings(shop)).toEqual([])
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, pending: 3 })
    await daysPass(partner, 1)
    await round()
    await until(async () => (await balanceOf(shop, partner)).available === 3)
    expect(await movesOf(partner)).toEqual(['matured: pending → available 3', 'earned: shop → pending 3'])
    expect(await balanceOf(shop, buyer)).toEqual(NOTHING)
  })

  test.each([
    [0, 1, 10],
    [1, 2, 15],
    [4, 2, 15],
    [5, 3, 20],
    [9, 3, 20],
    [10, 4, 25],
    [24, 4, 25],
    [25, 5, 30],
  ])('after %i settled transactions is at level %i: %i %%', async (transactions, level, percentage) => {
    const partner = await aCustomer(shop)
    const buyer = await aCustomer(shop)
    for (let times = 0; times < transactions; times++)
      await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 100 })
    await creditPartners(shop)
    await settle(shop, partner.id)
    expect(await partnershipOf(shop, partner)).toMatchObject({ level, percentage, transactions })
    await aPaymentFor(partner, 10_050)
    const [{ amount, earning }] = (await statementOf(partner)).entries
    // Half a cent is a cent.
    expect(amount).toBe(Math.floor(100.5 * percentage + 0.5) / 100)
    expect(earning).toMatchObject({ source: 'referral', level, percentage })
  })

  test('is of what was settled when the payment was completed, and of nothing that was given back since', async () => {
    const partner = await aCustomer(shop)
    const paid = { buyerId: (await aCustomer(shop)).id, partnerId: partner.id, amountMinor: 1000 }
    const settled = await aPaymentFor(partner, 1000)
    const before = await aPaidPayment(shop, { ...paid, isCredited: true })
    await settle(shop, partner.id)
    const [after, last] = [
      await aPaidPayment(shop, { ...paid, isCredited: true }),
      await aPaidPayment(shop, { ...paid, isCredited: true }),
    ]
    await letCredit(shop, before, after)
    await creditPartners(shop)
    expect(await earningOf(shop, before)).toMatchObject({ level: 1, percentage: 10, amount_minor: 100 })
    expect(await earningOf(shop, after)).toMatchObject({ level: 2, percentage: 15, amount_minor: 150 })
    await refunded(settled)
    await letCredit(shop, last)
    await creditPartners(shop)
    expect(await earningOf(shop, last)).toMatchObject({ level: 1 })
    expect(await partnershipOf(shop, partner)).toMatchObject({ transactions: 0, pendingTransactions: 3 })
  })

  test('is neither of a purchase that was cancelled nor available, while a refund by hand is yet to be sent', async () => {
    const partner = await aPartner(shop)
    const buyer = await aCustomer(shop)
    const order = await anOrder(shop, buyer, { currency: 'GBP', promocode: partner.promocode })
    const paymentId = await startBy(payByBank, shop, buyer, order, { bankId: BANKS.noConsent })
    await reached(shop, paymentId, 'awaiting redirect result', 'awaiting customer action')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await creditPartners(shop)
    await letDaysPass(shop, buyer, 13)
    expect((await cancel(shop, buyer, paymentId)).status).toBe(200)
    const earned = { level: 1, transactions: 0, pendingTransactions: 1 }
    await settle(shop, partner.id)
    expect(await partnershipOf(shop, partner)).toMatchObject(earned)
    expect((await earningOf(shop, paymentId))?.matured_at).toBeNull()
    const [{ id = '' } = {}] = await refundsOf(shop, paymentId)
    const sent = await runOps(opsSettings(shop), 'refund', 'resolve', paymentId, id, '--as', 'sent', '--yes')
    expect(sent.code, sent.err).toBe(0)
    await settle(shop, partner.id)
    expect((await earningOf(shop, paymentId))?.matured_at).not.toBeNull()
    expect(await partnershipOf(shop, partner)).toMatchObject({ ...earned, pendingTransactions: 0 })
  })

  test('does not depend on which of two payments is credited first', async () => {
    const partner = await aCustomer(shop)
    const paid = { buyerId: (await aCustomer(shop)).id, partnerId: partner.id, amountMinor: 1000 }
    const first = await aPaidPayment(shop, { ...paid, isCredited: true })
    const second = await aPaidPayment(shop, { ...paid, isCredited: true })
    const third = await aPaidPayment(shop, { ...paid, isCredited: true })
    // A locked order is not credited, nor waited for without end.
    await shop.db.transaction().execute(async (trx) => {
      await sql`select from orders join payments on order_id = orders.id where payments.id = ${first}
        for update of orders`.execute(trx)
      await letCredit(shop, first, second)
      await creditPartners(shop)
    })
    expect(await earningOf(shop, second)).toMatchObject({ level: 1 })
    await creditPartners(shop)
    expect(await earningOf(shop, first)).toMatchObject({ level: 1 })
    await letCredit(shop, third)
    await creditPartners(shop)
    expect(await partnershipOf(shop, partner)).toMatchObject({ transactions: 0, pendingTransactions: 3 })
  })

  test('is nothing of one’s own payments, in any case', async () => {
    const partner = await aCustomer(shop)
    const { paymentId } = await aPurchase(shop, {}, {}, partner)
    await expect(
      sql`update payments set partner_id = customer_id where id = ${paymentId}`.execute(shop.db),
    ).rejects.toThrow('no_own_partner')
    await creditPartners(shop)
    expect(await balanceOf(shop, partner)).toEqual(NOTHING)
  })

  test('is credited once, however many processes come for it at once', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aCustomer(shop)
    for (let times = 0; times < 6; times++)
      await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000 })
    await Promise.all(Array.from({ length: 4 }, () => creditPartners(shop)))
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, pending: 60 })
    expect(await partnershipOf(shop, partner)).toMatchObject({ transactions: 0, pendingTransactions: 6 })
  })

  test('is available at once where nothing is held', async () => {
    const unheld = await startTestShop({ env: { PARTNER_HOLD_DAYS: '0' } })
    const partner = await aCustomer(unheld)
    await aPurchase(unheld, {}, {}, await aReferred(unheld, partner))
    await until(async () => (await balanceOf(unheld, partner)).available === 3)
    expect(await checkBooks(unheld)).toEqual([])
  })

  test('is not held up by a payment that cannot be credited, or that is locked', async () => {
    const [partner, other, buyer] = [await aCustomer(shop), await aCustomer(shop), await aCustomer(shop)]
    const given = { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000, isCredited: true }
    const [broken, locked] = [await aPaidPayment(shop, given), await aPaidPayment(shop, given)]
    await sql`insert into earnings (payment_id, partner_id, source, level, percentage, amount_minor, currency, available_at)
      values (${broken}, ${partner.id}, 'referral', 1, 10, 0, 'EUR', now() + interval '1 day')`.execute(
      shop.db,
    )
    await shop.db.transaction().execute(async (trx) => {
      const { order_id } = await paymentRow(shop, locked)
      await trx.selectFrom('orders').select('id').where('id', '=', order_id).forUpdate().execute()
      await letCredit(shop, broken, locked)
      await aPaidPayment(shop, { ...given, partnerId: other.id, isCredited: false })
      const undone = await creditPartners(shop)
      expect(undone.map(({ paymentId }) => paymentId)).toEqual([broken, locked])
      expect(await balanceOf(shop, other)).toEqual({ ...NOTHING, pending: 10 })
    })
    await sql`delete from earnings where payment_id = ${broken}`.execute(shop.db)
    expect(await creditPartners(shop)).toEqual([])
    expect((await balanceOf(shop, partner)).pending).toBe(20)
  })
})

describe('a refund', () => {
  test('within the hold takes the earning back, and the transaction with it', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(shop, partner)
    const { paymentId } = await aPurchase(shop, {}, {}, buyer)
    await until(async () => (await balanceOf(shop, partner)).pending === 3)
    await requestRefund(shop, { paymentId })
    await until(async () => (await balanceOf(shop, partner)).pending === 0)
    expect(await partnershipOf(shop, partner)).toMatchObject({ pendingTransactions: 0, level: 1 })
    expect(await movesOf(partner)).toEqual(['reversed: pending → shop 3', 'earned: shop → pending 3'])
    await endHolds(shop, partner.id)
    expect(await balanceOf(shop, partner)).toEqual(NOTHING)
  })

  test('made at the gateway takes it back, too, after the hold as well', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aReferred(shop, partner)
    const { paymentId } = await aPurchase(shop, {}, {}, buyer)
    await creditPartners(shop)
    await endHolds(shop, partner.id)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, available: 3 })
    await refundAtGateway(shop, paymentId, { amount: 1000, currency: 'EUR' })
    await until(async () => (await balanceOf(shop, partner)).available === 2)
    expect((await movesOf(partner))[0]).toBe('reversed: available → shop 1')
  })

  test('before it was credited leaves what is left of it to earn from, or nothing', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aCustomer(shop)
    const given = { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000, isCredited: true }
    const [part, whole] = [await aPaidPayment(shop, given), await aPaidPayment(shop, given)]
    await refunded(whole)
    await refunded(part, 5_000)
    await letCredit(shop, part, whole)
    await creditPartners(shop)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, pending: 5 })
    expect(await partnershipOf(shop, partner)).toMatchObject({ pendingTransactions: 1 })
  })

  test('in many steps takes back the whole, to the cent', async () => {
    const partner = await aCustomer(shop)
    // A tenth of 33.35 is 3.34.
    const paymentId = await aPaymentFor(partner, 3335)
    for (const step of [1, 333, 1000, 1, 999, 500, 500]) {
      await refunded(paymentId, step)
      const { refunded_minor } = await paymentRow(shop, paymentId)
      const kept = Math.floor((334 * (3335 - refunded_minor)) / 3335 + 0.5)
      expect((await balanceOf(shop, partner)).pending).toBe(kept / 100)
    }
    await refunded(paymentId)
    expect(await balanceOf(shop, partner)).toEqual(NOTHING)
  })

  test('of a payment in złoty takes back the same share of the euros that were earned', async () => {
    const partner = await aCustomer(shop)
    const buyer = await aCustomer(shop)
    const paymentId = await aPaidPayment(shop, {
      buyerId: buyer.id,
      partnerId: partner.id,
      amountMinor: 10_000,
      charged: { minor: 42_512, currency: 'PLN' },
    })
    await creditPartners(shop)
    expect((await balanceOf(shop, partner)).pending).toBe(10)
    await refunded(paymentId, 10_628)
    expect((await balanceOf(shop, partner)).pending).toBe(7.5)
    await refunded(paymentId)
    expect(await balanceOf(shop, partner)).toEqual(NOTHING)
  })

  test('after the withdrawal was asked for takes nothing of it; a refusal pays the debt first', async () => {
    const partner = await aCustomer(shop)
    const paymentId = await anEarning(shop, partner.id, 30_000)
    const withdrawalId = await withdraw(partner, 290)
    await refunded(paymentId)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, requested: 290 })
    await resolveWithdrawal(shop, withdrawalId, { status: 'refused', reason: 'It was refunded.' })
    expect(await balanceOf(shop, partner)).toEqual(NOTHING)
    expect((await movesOf(partner)).slice(0, 3)).toEqual([
      'reversed: available → shop 290',
      'refused: requested → available 290',
      'reversed: available → shop 10',
    ])
  })

  test('of what was paid out is taken from what is earned next, and never twice', async () => {
    const partner = await aCustomer(shop)
    const paymentId = await anEarning(shop, partner.id, 30_000)
    const withdrawalId = await withdraw(partner, 300)
    await resolveWithdrawal(shop, withdrawalId, { status: 'paid', reference: null })
    await refunded(paymentId)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, paid: 300 })
    await aPaymentFor(partner, 100_000)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, pending: 100, paid: 300 })
    await endHolds(shop, partner.id)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, paid: 300 })
    await anEarning(shop, partner.id, 25_000)
    expect(await balanceOf(shop, partner)).toEqual({ ...NOTHING, available: 50, paid: 300 })
  })
})

describe('GET /api/v1/partnership/statement', () => {
  test('tells each movement, newest first, without the payments of others', async () => {
    const partner = await aCustomer(shop)
    const paymentId = await anEarning(shop, partner.id, 30_000)
    const withdrawalId = await withdraw(partner, 250)
    const { token } = partner
    const reply = await shop.call('GET', '/api/v1/partnership/statement', { token })
    expect(reply.body).toMatchObject({
      hasMore: false,
      entries: [
        { kind: 'requested', from: 'available', to: 'requested', amount: 250, currency: 'EUR', withdrawalId },
        { kind: 'matured', amount: 300, earning: { level: 1, percentage: 10, source: 'referral' } },
        { kind: 'earned', from: 'shop', to: 'pending', amount: 300 },
      ],
    })
    expect(reply.text).not.toContain(paymentId)
  })

  test('answers a hundred at once, and none twice while others come', async () => {
    const partner = await aCustomer(shop)
    const first = await anEarning(shop, partner.id, 30_000)
    await sql`insert into ledger_transfers (partner_id, currency, kind, from_account, to_account, amount_minor, payment_id)
      select ${partner.id}, 'EUR', 'reversed', 'available', 'shop', 1, ${first} from generate_series(1, 120)`.execute(
      shop.db,
    )
    await sql`update earnings set due_back_minor = 120, reversed_minor = 120 where payment_id = ${first}`.execute(
      shop.db,
    )
    await sql`update payments set refunded_minor = 1200 where id = ${first}`.execute(shop.db)
    const page = await statementOf(partner)
    expect([page.entries.length, page.hasMore]).toEqual([100, true])
    await anEarning(shop, partner.id, 100)
    const rest = await statementOf(partner, page.entries.at(-1)._id)
    expect([rest.entries.length, rest.hasMore]).toEqual([22, false])
    const ids = [...page.entries, ...rest.entries].map(({ _id }: { _id: string }) => Number(_id))
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a))
  })

  test('is the partner’s own, and for customers', async () => {
    const partner = await aCustomer(shop)
    await anEarning(shop, partner.id, 30_000)
    expect(await statementOf(await aCustomer(shop))).toEqual({ entries: [], hasMore: false })
    expectProblem(await shop.call('GET', '/api/v1/partnership/statement'), 401)
  })

  test.each(['0', '-1', 'x', '1.5', '1'.repeat(30), "1' or 1=1"])(
    'refuses to begin before %j',
    async (before) => {
      const { token } = await aCustomer(shop)
      const url = `/api/v1/partnership/statement?before=${encodeURIComponent(before)}`
      expectProblem(await shop.call('GET', url, { token }), 422)
    },
  )
})

describe('the ledger', () => {
  test.each([
    "update ledger_transfers set amount_minor = amount_minor + 1 where partner_id = '$id'",
    "delete from ledger_transfers where partner_id = '$id'",
    'truncate ledger_transfers',
  ])('refuses to be rewritten: %s', async (statement) => {
    const partner = await aCustomer(shop)
    await anEarning(shop, partner.id, 1000)
    const change = sql.raw(statement.replace('$id', partner.id)).execute(shop.db)
    await expect(change).rejects.toThrow('only ever added to')
  })
})
