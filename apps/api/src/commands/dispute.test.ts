import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { eraseAccount } from '#testing/customers.ts'
import { aDisputedPurchase, dispute, disputesOf, openedDispute } from '#testing/disputes.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, connectionsOf, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NOBODY = '00000000-0000-4000-8000-000000000000'

const areActive = async (paymentId: string) =>
  (await connectionsOf(shop, paymentId)).map(({ expires_at }) => !expires_at || expires_at > new Date())

describe('ops dispute open', () => {
  test('holds all that is left of a payment, and leaves the connections', async () => {
    const { paymentId } = await aPurchase(shop)
    const { code, out } = await dispute(
      shop,
      'open',
      paymentId,
      '--reason',
      '10.4',
      '--respond-by',
      '2026-11-27',
    )
    expect(out).toMatch(
      /^Recorded: dispute [\w-]{36} of €30\.00, open, to be answered by 27\/11\/2026 23:59\. The evidence for your answer: npm run ops -- dispute evidence [\w-]{36} --out FILE\n$/,
    )
    expect(code).toBe(0)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 3000, refunded_minor: 0 })
    expect(await disputesOf(shop, paymentId)).toMatchObject([
      {
        amount_minor: 3000,
        currency: 'EUR',
        reason: '10.4',
        reason_group: 'fraud',
        status: 'open',
        phase: 1,
      },
    ])
    expect(await areActive(paymentId)).toEqual([true, true, true])
  })

  test('said twice is known; at once from two processes one wins', async () => {
    const { paymentId } = await aPurchase(shop)
    const both = await Promise.all([
      dispute(shop, 'open', paymentId, '--json'),
      dispute(shop, 'open', paymentId, '--json'),
    ])
    expect(both.map(({ json }) => json.outcome).toSorted()).toEqual(['known', 'recorded'])
    const again = await dispute(shop, 'open', paymentId, '30')
    expect(again.out).toMatch(/^Already recorded: dispute /)
    expect(await disputesOf(shop, paymentId)).toHaveLength(1)
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(3000)
  })

  test('of a part leaves the rest, which can be disputed too, and no more than that', async () => {
    const { paymentId } = await aPurchase(shop)
    await openedDispute(shop, paymentId, '10')
    await openedDispute(shop, paymentId, '15.50')
    const { code, err } = await dispute(shop, 'open', paymentId, '4.51')
    expect([code, err]).toEqual([1, 'Nothing was done: that is more than is left of the payment.\n'])
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(2550)
  })

  test('refuses a payment that is unknown, not paid, or was given back, and words that are none', async () => {
    const unknown = await dispute(shop, 'open', NOBODY.replaceAll('-', ''))
    expect([unknown.code, unknown.err]).toEqual([1, 'Nothing was done: there is no such payment.\n'])
    const { customer, paymentId } = await aPurchase(shop)
    const declined = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.declined,
    })
    await reached(shop, declined, 'Decline')
    const unpaid = await dispute(shop, 'open', declined)
    expect([unpaid.code, unpaid.err]).toEqual([
      1,
      "Nothing was done: the payment is not paid, but 'Decline'.\n",
    ])
    await runOps(opsSettings(shop), 'refund', paymentId, '--yes', '--wait')
    const back = await dispute(shop, 'open', paymentId)
    expect([back.code, back.err]).toEqual([
      1,
      'Nothing was done: nothing is left of the payment that could be disputed: it was given back, or is disputed already.\n',
    ])
    for (const args of [
      ['--reason', 'a b'],
      ['--respond-by', 'soon'],
      ['--respond-by', '2031-01-01'],
    ]) {
      const { code } = await dispute(shop, 'open', paymentId, ...args)
      expect(code, args.join(' ')).toBe(2)
    }
  })

  test('ends what was bought at once where that is said', async () => {
    const { paymentId, dispute: opened } = await aDisputedPurchase(shop, '--end-connections')
    expect(opened.connectionsEnded).toBe(true)
    expect(await areActive(paymentId)).toEqual([false, false, false])
  })
})

describe('ops dispute won', () => {
  test('frees the money, once, and what has ended stays ended', async () => {
    const { paymentId, dispute: opened } = await aDisputedPurchase(shop, '--end-connections')
    const first = await dispute(shop, 'won', opened.id, '--yes')
    expect(first.out).toMatch(/^Recorded: dispute [\w-]{36} of €30\.00, won on /)
    expect((await dispute(shop, 'won', opened.id)).out).toMatch(/^Already recorded/)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 0, refunded_minor: 0 })
    expect(await areActive(paymentId)).toEqual([false, false, false])
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('is not the end if the bank goes on: it can be opened again, and lost then', async () => {
    const { paymentId, dispute: opened } = await aDisputedPurchase(shop)
    await dispute(shop, 'won', opened.id, '--yes')
    expect((await dispute(shop, 'open', paymentId)).out).toMatch(/^Already recorded: dispute .* won on /)
    const refused = await dispute(shop, 'lost', opened.id, '--yes')
    expect(refused.err).toContain(
      'it was won. If the bank goes on, first open it again: dispute open --again',
    )
    const again = await openedDispute(shop, paymentId, '--again')
    expect(again).toMatchObject({ id: opened.id, status: 'open', phase: 2, endedAt: null })
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(3000)
    expect((await dispute(shop, 'lost', opened.id, '--yes', '--json')).json.dispute.status).toBe('lost')
  })
})

describe('ops dispute lost', () => {
  test('books the money as gone, ends what was bought, and tells the customer whose bank has it', async () => {
    const { customer, paymentId, dispute: opened } = await aDisputedPurchase(shop)
    const { code, out } = await dispute(shop, 'lost', opened.id, '--yes')
    expect(out).toMatch(
      /lost on .*\. A credit note follows for the invoice\. The connections have ended\.\n$/,
    )
    expect(code).toBe(0)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 0, refunded_minor: 3000 })
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { reason: 'dispute', status: 'Success', amount_minor: 3000 },
    ])
    expect(await areActive(paymentId)).toEqual([false, false, false])
    const mail = await mailbox(shop).latest(customer.email, 'Your bank has taken back €30.00')
    expect(mail.text).toContain(
      'You disputed a payment at your bank, and it was decided that €30.00 of your payment for 30 days, 3 connections goes back to you.',
    )
    expect(mail.text).toContain('There is no further refund from us.')
    expect(await mailbox(shop).list(customer.email, 'We have refunded')).toEqual([])
  })

  test('is final: said again it is known, and nothing else can be said of it', async () => {
    const { paymentId, dispute: opened } = await aDisputedPurchase(shop)
    const both = await Promise.all([
      dispute(shop, 'lost', opened.id, '--yes', '--json'),
      dispute(shop, 'lost', opened.id, '--yes', '--json'),
    ])
    expect(both.map(({ json }) => json.outcome).toSorted()).toEqual(['known', 'recorded'])
    expect((await dispute(shop, 'won', opened.id)).err).toBe(
      'Nothing was done: it was lost, which is final.\n',
    )
    expect((await dispute(shop, 'open', paymentId)).out).toMatch(/^Already recorded: .* lost on /)
    expect((await dispute(shop, 'open', paymentId, '--again')).code).toBe(1)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test('keeps the connections where that is said, and not the money', async () => {
    const { paymentId, dispute: opened } = await aDisputedPurchase(shop)
    const lost = await dispute(shop, 'lost', opened.id, '--keep-connections', '--yes', '--json')
    expect(lost.json.dispute).toMatchObject({ status: 'lost', connectionsEnded: false })
    expect(await areActive(paymentId)).toEqual([true, true, true])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
  })

  test('of a part leaves the connections, unless they are to end', async () => {
    const [kept, ended] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    const one = await openedDispute(shop, kept.paymentId, '10')
    await dispute(shop, 'lost', one.id, '--yes')
    expect(await areActive(kept.paymentId)).toEqual([true, true, true])
    const other = await openedDispute(shop, ended.paymentId, '10')
    await dispute(shop, 'lost', other.id, '--end-connections', '--yes')
    expect(await areActive(ended.paymentId)).toEqual([false, false, false])
    expect((await paymentRow(shop, ended.paymentId)).refunded_minor).toBe(1000)
  })

  test('takes one word on the connections only', async () => {
    const { code } = await dispute(shop, 'lost', NOBODY, '--end-connections', '--keep-connections')
    expect(code).toBe(2)
    const { paymentId, dispute: opened } = await aDisputedPurchase(shop, '--end-connections')
    const { err } = await dispute(shop, 'lost', opened.id, '--keep-connections', '--yes')
    expect(err).toBe('Nothing was done: its connections have ended already, and do not come back.\n')
    expect((await disputesOf(shop, paymentId))[0]?.status).toBe('open')
  })
})

describe('ops dispute list, show, answered', () => {
  test('show what stands how, also where it is told of payments and customers', async () => {
    const { customer, paymentId, dispute: opened } = await aDisputedPurchase(shop, '--reason', '13.1')
    const shown = await dispute(shop, 'show', opened.id)
    expect(shown.out).toContain(`Payment      ${paymentId}`)
    expect(shown.out).toContain('Reason       13.1 (consumer)')
    const answered = await dispute(shop, 'answered', opened.id)
    expect(answered.out).toMatch(/open, answered on .* You are not reminded of it again\.\n$/)
    expect((await dispute(shop, 'answered', opened.id)).out).toMatch(/^Already recorded/)
    const { json } = await dispute(shop, 'list', '--status', 'open', '--json')
    expect(json.disputes).toContainEqual(
      expect.objectContaining({ id: opened.id, customer: customer.email, card: '400000******0077' }),
    )
    const payment = await runOps(opsSettings(shop), 'payment', paymentId)
    expect(payment.out).toMatch(/\nDispute +€30\.00 open, answered on .*, 13\.1 \(consumer\), [\w-]{36}\n/)
    const of = await runOps(opsSettings(shop), 'customer', 'show', customer.email)
    expect(of.out).toMatch(/ disputed\n/)
    expect((await dispute(shop, 'show', NOBODY)).err).toBe(`There is no dispute ${NOBODY}.\n`)
    expect((await dispute(shop, 'show', 'mine')).code).toBe(1)
  })

  test('the account cannot be deleted while one is open, and can be once it is decided', async () => {
    const { customer, dispute: opened } = await aDisputedPurchase(shop)
    await queueIsEmpty(shop)
    const refused = await eraseAccount(shop, customer)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('Your bank has asked us for the money of a payment back.')
    const byHand = await runOps(opsSettings(shop), 'customer', 'erase', customer.email, '--yes')
    expect(byHand.err).toBe(
      'Not erased. A payment of this account is disputed. Wait until that is decided. See dispute list.\n',
    )
    await dispute(shop, 'lost', opened.id, '--yes')
    await until(async () => (await eraseAccount(shop, customer)).status === 200)
    expect((await dispute(shop, 'show', opened.id)).out).toContain('(account deleted)')
  })
})
