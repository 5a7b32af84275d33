import { bankAnswer } from '@hedgerow/sandbox/issuer/bank-answer'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty, waitingJobs } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { metadataOf } from '#testing/payment-methods.ts'
import {
  CARDS,
  connectionsOf,
  paymentRow,
  reached,
  sendToChallenge,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile({ env: { GATE_3DS_FLOW: 'extended' } })

const FRICTIONLESS = '4477000000000006'

const start = async (pan: string = CARDS.challenged) => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan })
  await reached(shop, paymentId, 'awaiting 3ds result')
  return paymentId
}

/** The issuer's server posts its notice from the hidden frame. */
const notice = (paymentId: string) =>
  shop.call('POST', `/api/v1/payment/3ds-method/${paymentId}`, {
    body: new URLSearchParams({ threeDSMethodData: 'e30=' }),
  })

const frameReports = (paymentId: string) =>
  shop.gateCalls
    .filter(({ path, body }) => path.endsWith('/3ds_check_iframe') && body.general.payment_id === paymentId)
    .map(({ body }) => body.threeds_completion_indicator)

const question = async (paymentId: string) => {
  await notice(paymentId)
  await reached(shop, paymentId, 'awaiting redirect result')
  return metadataOf(shop, paymentId)
}

type Question = { body: { creq: string; threeDSSessionData: string } }

const answer = ({ body }: Question, isApproved = true, session = body.threeDSSessionData) =>
  new URLSearchParams({ cres: bankAnswer(body.creq, isApproved), threeDSSessionData: session })

describe('3-D Secure in the extended flow', () => {
  test('lets the issuer look at the browser, then asks, then pays', async () => {
    const paymentId = await start()
    expect(await metadataOf(shop, paymentId)).toEqual({
      iframe: {
        url: `${shop.sandbox.url}/acs/method`,
        fields: { threeDSMethodData: expect.anything(), '3DSMethodData': expect.anything() },
      },
    })
    const asked = await question(paymentId)
    expect(asked).toMatchObject({ url: `${shop.sandbox.url}/acs/challenge`, method: 'POST' })
    const reply = await sendToChallenge(shop, paymentId, answer(asked))
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `${shop.url}/payment/result/${paymentId}`,
    ])
    await reached(shop, paymentId, 'Success')
    expect(frameReports(paymentId)).toEqual([true])
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      challenge_answered_at: expect.any(Date),
      eci: '05',
    })
  })

  test('goes on without the issuer’s notice after its ten seconds', async () => {
    const paymentId = await start()
    expect(await waitingJobs(shop)).toContain('send-method-done')
    await hurry(shop, 'send-method-done')
    await reached(shop, paymentId, 'awaiting redirect result')
    expect(frameReports(paymentId)).toEqual([false])
    // A notice that comes too late is ignored.
    expect((await notice(paymentId)).status).toBe(204)
    await queueIsEmpty(shop)
    expect(frameReports(paymentId)).toEqual([false])
  })

  test('tells the gateway of the notice once, however often it comes', async () => {
    const paymentId = await start()
    const replies = await Promise.all([notice(paymentId), notice(paymentId), notice(paymentId)])
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204])
    await reached(shop, paymentId, 'awaiting redirect result')
    await queueIsEmpty(shop)
    expect(frameReports(paymentId).length).toBeGreaterThanOrEqual(1)
    expect(new Set(frameReports(paymentId))).toEqual(new Set([true]))
  })

  test('asks nothing where the issuer vouches', async () => {
    const paymentId = await start(FRICTIONLESS)
    await notice(paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await paymentRow(shop, paymentId)).toMatchObject({ challenge_answered_at: null, eci: '05' })
  })

  test('ends in a decline when the customer refuses', async () => {
    const paymentId = await start()
    await sendToChallenge(shop, paymentId, answer(await question(paymentId), false))
    await reached(shop, paymentId, 'Decline')
    expect((await metadataOf(shop, paymentId)).reason).toBe('Card verification failed. Please try again.')
  })

  test('changes nothing with the answer to another session', async () => {
    const [mine, other] = [await start(), await start()]
    const [asked, theirs] = [await question(mine), await question(other)]
    await sendToChallenge(shop, mine, answer(asked, true, theirs.body.threeDSSessionData))
    await sendToChallenge(shop, mine, new URLSearchParams({ cres: 'x' }))
    await queueIsEmpty(shop)
    expect([await statusOf(shop, mine), await statusOf(shop, other)]).toEqual([
      'awaiting redirect result',
      'awaiting redirect result',
    ])
  })

  test('buys nothing with the yes to another payment', async () => {
    const [mine, other] = [await start(), await start()]
    const [asked, theirs] = [await question(mine), await question(other)]
    const yes = answer(theirs, true, asked.body.threeDSSessionData)
    await sendToChallenge(shop, mine, yes)
    await reached(shop, mine, 'Decline')
    expect(await connectionsOf(shop, mine)).toEqual([])
  })

  test('is heard by the gateway once, however often the answer is sent', async () => {
    const paymentId = await start()
    const form = answer(await question(paymentId))
    await Promise.all(Array.from({ length: 10 }, () => sendToChallenge(shop, paymentId, form)))
    await reached(shop, paymentId, 'Success')
    await queueIsEmpty(shop)
    const sent = shop.gateCalls.filter(
      ({ path, body }) => path.endsWith('/3ds_result') && body.general.payment_id === paymentId,
    )
    expect(sent).toHaveLength(1)
  })

  test('knows no notice for a payment that it did not start', async () => {
    expectProblem(await notice('0'.repeat(32)), 404)
    await until(async () => (await notice('x')).status === 404)
  })
})
