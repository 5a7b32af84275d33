import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import {
  answerChallenge,
  bankForm,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  sendToChallenge,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const aChallengedPayment = async (pan: string = CARDS.challenged, where: TestShop = shop) => {
  const customer = await aCustomer(where)
  return startPayment(where, customer, await anOrder(where, customer), { pan })
}

const resultsSent = (paymentId: string, where: TestShop = shop) =>
  where.gateCalls.filter(
    ({ path, body }) => path.endsWith('/3ds_result') && body.general.payment_id === paymentId,
  )

describe('POST /api/v1/payment/challenge/:paymentId', () => {
  test('tells the page where the customer has to go, and to come back here', async () => {
    const paymentId = await aChallengedPayment()
    expect(await challengeOf(shop, paymentId)).toEqual({
      acs_url: `${shop.sandbox.url}/acs`,
      pa_req: expect.stringMatching(/./),
      md: expect.stringMatching(/./),
      term_url: `${shop.url}/api/v1/payment/challenge/${paymentId}`,
    })
  })

  test('leads back to the result page, and ends in a success with its connections', async () => {
    const paymentId = await aChallengedPayment()
    const reply = await answerChallenge(shop, paymentId)
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `${shop.url}/payment/result/${paymentId}`,
    ])
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('ends in a decline when the customer refuses', async () => {
    const paymentId = await aChallengedPayment()
    await answerChallenge(shop, paymentId, false)
    await reached(shop, paymentId, 'Decline')
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('ends in a decline when the issuer declines after its question', async () => {
    const paymentId = await aChallengedPayment(CARDS.challengedThenDeclined)
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Decline')
  })

  test('is heard by the gateway once, however often it is sent', async () => {
    const paymentId = await aChallengedPayment()
    const form = bankForm(await challengeOf(shop, paymentId))
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => sendToChallenge(shop, paymentId, form)),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]))
    await reached(shop, paymentId, 'Success')
    await sendToChallenge(shop, paymentId, form)
    await queueIsEmpty(shop)
    expect(resultsSent(paymentId)).toHaveLength(1)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('takes the field names in small letters too', async () => {
    const paymentId = await aChallengedPayment()
    const form = bankForm(await challengeOf(shop, paymentId))
    const small = new URLSearchParams({ pares: form.get('PaRes') ?? '', md: form.get('MD') ?? '' })
    await sendToChallenge(shop, paymentId, small)
    await reached(shop, paymentId, 'Success')
  })

  test('changes nothing with the MD of another challenge', async () => {
    const [mine, other] = [await aChallengedPayment(), await aChallengedPayment()]
    const form = bankForm(await challengeOf(shop, mine))
    form.set('MD', (await challengeOf(shop, other)).md)
    expect((await sendToChallenge(shop, mine, form)).status).toBe(303)
    expect(await statusOf(shop, mine)).toBe('awaiting 3ds result')
    expect(await statusOf(shop, other)).toBe('awaiting 3ds result')
    await queueIsEmpty(shop)
    expect([resultsSent(mine), resultsSent(other)]).toEqual([[], []])
  })

  test('buys nothing with the bank’s yes to another payment', async () => {
    const [mine, other] = [await aChallengedPayment(), await aChallengedPayment()]
    const form = bankForm(await challengeOf(shop, other))
    form.set('MD', (await challengeOf(shop, mine)).md)
    await sendToChallenge(shop, mine, form)
    await reached(shop, mine, 'Decline')
    expect(await connectionsOf(shop, mine)).toEqual([])
    expect(await statusOf(shop, other)).toBe('awaiting 3ds result')
  })

  test('decides nothing by itself: a made-up PaRes buys nothing', async () => {
    const paymentId = await aChallengedPayment()
    const { md } = await challengeOf(shop, paymentId)
    await sendToChallenge(shop, paymentId, new URLSearchParams({ PaRes: 'c3VjY2Vzcw==', MD: md }))
    await reached(shop, paymentId, 'Decline')
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test.each([
    ['an empty form', () => new URLSearchParams()],
    ['no PaRes', (form: URLSearchParams) => new URLSearchParams({ MD: form.get('MD') ?? '' })],
    ['no MD', (form: URLSearchParams) => new URLSearchParams({ PaRes: form.get('PaRes') ?? '' })],
    [
      'an empty PaRes',
      (form: URLSearchParams) => new URLSearchParams({ PaRes: '', MD: form.get('MD') ?? '' }),
    ],
    ['the fields twice', (form: URLSearchParams) => new URLSearchParams(`${form}&${form}`)],
  ])('changes nothing with %s, and leads back to the result page', async (_, change) => {
    const paymentId = await aChallengedPayment()
    const form = change(bankForm(await challengeOf(shop, paymentId)))
    const reply = await sendToChallenge(shop, paymentId, form)
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `${shop.url}/payment/result/${paymentId}`,
    ])
    expect(await statusOf(shop, paymentId)).toBe('awaiting 3ds result')
  })

  test('changes nothing without a body', async () => {
    const paymentId = await aChallengedPayment()
    await challengeOf(shop, paymentId)
    expect((await sendToChallenge(shop, paymentId)).status).toBeLessThan(500)
    expect(await statusOf(shop, paymentId)).toBe('awaiting 3ds result')
  })

  test.each(['0'.repeat(32), 'x', '%00'])('knows no payment %s', async (paymentId) => {
    const form = new URLSearchParams({ PaRes: 'x', MD: 'y' })
    expectProblem(await sendToChallenge(shop, paymentId, form), 404)
  })

  test('sends the customer to a second challenge when the gateway asks again', async () => {
    const own = await startTestShop()
    await switchFaults(own, { secondChallenge: true })
    const paymentId = await aChallengedPayment(CARDS.challenged, own)
    const first = await challengeOf(own, paymentId)
    await sendToChallenge(own, paymentId, bankForm(first))
    const second = await until(async () => {
      const challenge = await challengeOf(own, paymentId)
      return challenge.md !== first.md && challenge
    })
    // A late repeat of the first answer is no answer to the second question.
    await sendToChallenge(own, paymentId, bankForm(first))
    await sendToChallenge(own, paymentId, bankForm(second))
    await reached(own, paymentId, 'Success')
    expect(resultsSent(paymentId, own)).toHaveLength(2)
  })

  test('leaves the outcome of a payment that has ended', async () => {
    const paymentId = await aChallengedPayment()
    const form = bankForm(await challengeOf(shop, paymentId))
    await sendToChallenge(shop, paymentId, form)
    await reached(shop, paymentId, 'Success')
    // Its invoice may come meanwhile.
    const before = { ...(await paymentRow(shop, paymentId)), is_invoiced: expect.any(Boolean) }
    await sendToChallenge(shop, paymentId, bankForm({ pa_req: 'e30=', md: form.get('MD') }, false))
    await queueIsEmpty(shop)
    expect(await paymentRow(shop, paymentId)).toEqual(before)
  })

  test('needs no csrf header, for it comes from the issuer’s site', async () => {
    const paymentId = await aChallengedPayment()
    const reply = await shop.call('POST', `/api/v1/payment/challenge/${paymentId}`, {
      body: bankForm(await challengeOf(shop, paymentId)),
      headers: { cookie: 'XSRF-TOKEN=a', origin: 'https://issuer.example' },
    })
    expect(reply.status).toBe(303)
  })
})
