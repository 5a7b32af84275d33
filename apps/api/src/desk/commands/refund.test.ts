import { mailbox } from '@hedgerow/testing/mailbox'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf } from '#testing/gateway.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, startBy } from '#testing/payment-methods.ts'
import { aPurchase, connectionsOf, paymentRow, reached } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const refund = (...args: string[]) => runOps(opsSettings(shop), 'refund', ...args)

const refundsOf = (paymentId: string) =>
  shop.db
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .execute()

/** 30 days for three connections: 30.00. */
const CHARGED = 3000

describe('ops refund', () => {
  test('gives all of a payment back, ends what it bought, and mails the customer', async () => {
    const { paymentId, customer } = await aPurchase(shop)
    const { code, out } = await refund(paymentId, '--yes', '--wait')
    expect(out).toMatch(
      /^Recorded: a refund of €30\.00 for payment \w{32}\. It was refunded on \d\d\/\d\d\/\d{4}/,
    )
    expect(code).toBe(0)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(CHARGED)
    expect(await bookOf(shop, paymentId)).toMatchObject({
      status: expect.stringMatching(/^(refunded|reversed)$/),
    })
    for (const { expires_at } of await connectionsOf(shop, paymentId))
      expect(expires_at?.getTime()).toBeLessThanOrEqual(Date.now())
    await mailbox(shop).latest(customer.email, 'refunded €30.00')
  })

  test('gives a part back and leaves the connections alone', async () => {
    const { paymentId } = await aPurchase(shop)
    const { code, json } = await refund(paymentId, '10.50', '--yes', '--wait', '--json')
    expect(code).toBe(0)
    expect(json).toMatchObject({
      outcome: 'recorded',
      paymentId,
      refund: { amount: '10.50', currency: 'EUR', status: 'Success', byHand: false, reason: 'operator' },
    })
    const [first] = await connectionsOf(shop, paymentId)
    expect(first?.expires_at?.getTime()).toBeGreaterThan(Date.now())
  })

  test('a repeat says what came of the first, unless it is meant', async () => {
    const { paymentId } = await aPurchase(shop)
    await refund(paymentId, '5', '--yes', '--wait')
    const repeat = await refund(paymentId, '5.00')
    expect(repeat.out).toMatch(/^Already recorded: a refund of €5\.00 .* It was refunded on /)
    expect(repeat.code).toBe(0)
    expect(await refundsOf(paymentId)).toHaveLength(1)
    await refund(paymentId, '5.00', '--again', '--yes', '--wait')
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
  })

  test('a repeat of giving back the rest says what came of it, too', async () => {
    const { paymentId } = await aPurchase(shop)
    await refund(paymentId, '5', '--yes', '--wait')
    await refund(paymentId, '--yes', '--wait')
    const repeat = await refund(paymentId)
    expect(repeat.out).toMatch(/^Already recorded: a refund of €25\.00/)
    expect(repeat.code).toBe(0)
    expect((await refundsOf(paymentId)).map(({ amount_minor }) => amount_minor)).toEqual([500, 2500])
  })

  test('two operators at once record one refund, and both are told of it', async () => {
    const { paymentId } = await aPurchase(shop)
    const outcomes = await Promise.all([refund(paymentId, '--yes'), refund(paymentId, '--yes')])
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    const said = outcomes.map(({ out }) => out.split(':')[0]).sort()
    expect(said).toEqual(['Already recorded', 'Recorded'])
    await queueIsEmpty(shop)
    expect(await refundsOf(paymentId)).toHaveLength(1)
  })

  test.each([
    ['more than is left', '30.01', /more than is left/],
    ['what is under way besides another', '1', /another refund .* is under way/],
  ])('refuses %s', async (_, amount, why) => {
    const { paymentId } = await aPurchase(shop)
    if (amount === '1')
      await shop.db
        .insertInto('refunds')
        .values({ id: crypto.randomUUID(), payment_id: paymentId, amount_minor: 200, reason: 'operator' })
        .execute()
    const { code, out, err } = await refund(paymentId, amount, '--yes')
    expect(err).toMatch(why)
    expect(out).toBe('')
    expect(code).toBe(1)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(0)
  })

  test('refuses a payment that nobody made', async () => {
    const { code, err } = await refund('0'.repeat(32), '--yes')
    expect(err).toBe('Not refunded: there is no such payment.\n')
    expect(code).toBe(1)
  })

  test('a refund that the gateway refuses is told with its code', async () => {
    const { paymentId } = await aPurchase(shop)
    await shop.db
      .insertInto('refunds')
      .values({
        id: crypto.randomUUID(),
        payment_id: paymentId,
        amount_minor: CHARGED,
        reason: 'operator',
        status: 'Decline',
        gate_code: '3128',
        ended_at: new Date(),
      })
      .execute()
    const { out } = await runOps(opsSettings(shop), 'payment', paymentId)
    expect(out).toContain('€30.00 refused (code 3128)')
  })

  describe('asks first', () => {
    test('and does nothing where nobody can be asked', async () => {
      const { paymentId } = await aPurchase(shop)
      const { code, err } = await refund(paymentId)
      expect(err).toMatch(
        /^Refund €30\.00 of payment \w+\? This cannot be undone\. There is no terminal to answer in\. .*--yes/,
      )
      expect(code).toBe(1)
      expect(await refundsOf(paymentId)).toEqual([])
    })

    test.each([
      ['y\n', 0, 1],
      ['n\n', 1, 0],
      ['\n', 1, 0],
      ['\u0003', 1, 0],
    ])('at a terminal, where %j is answered', async (typed, code, refunds) => {
      const { paymentId } = await aPurchase(shop)
      const outcome = await runOpsAtTerminal(opsSettings(shop), typed, 'refund', paymentId, '3.00')
      expect(outcome.out).toMatch(/Refund €3\.00 of payment \w+\? This cannot be undone\. \[y\/N\]/)
      expect(outcome.code).toBe(code)
      expect(await refundsOf(paymentId)).toHaveLength(refunds)
    })
  })

  test('open banking gives nothing back by itself: the operator sends it, and confirms that once', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { currency: 'GBP' })
    const paymentId = await startBy(payByBank, shop, customer, order, { bankId: BANKS.noConsent })
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')

    const early = await refund(paymentId, '--sent', '--yes')
    expect(early.err).toMatch(/is waiting to be sent by hand/)
    expect(early.code).toBe(1)

    const asked = await refund(paymentId, '--yes', '--wait')
    expect(asked.out).toMatch(/£30\.00.* Send it by hand, .* --sent/)
    expect(asked.code).toBe(0)
    await mailbox(shop).latest(shop.settings.operatorEmail, 'must be sent by hand')

    const sent = await refund(paymentId, '--sent', '--yes')
    expect(sent.out).toMatch(/^Confirmed: a refund of £30\.00 .* It was refunded on/)
    expect(sent.code).toBe(0)
    const repeat = await refund(paymentId, '--sent')
    expect(repeat.out).toMatch(/^Already recorded: .* It was refunded on/)
    expect(repeat.code).toBe(0)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(CHARGED)
  })
})
