import { until } from '@hedgerow/testing/until'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findSilence, SILENT_AFTER, setRunningSetting } from '#platform/running-settings/running-settings.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { aPurchase, paymentRow, reached } from '#testing/payments.ts'
import { actAtStripe, aPageAttempt, typeAtStripe } from '#testing/stripe.ts'

const { shop, ask } = await consoleOfFile()

const isHosted = async () => (await shop.call('GET', '/api/v1/payment/methods')).body.card.hosted

/** The Gate is asked again and again, as every 20 seconds. */
const watchUntil = (isDone: () => Promise<boolean>) =>
  until(async () => {
    await hurry(shop, 'watch-card-gateway')
    return isDone()
  })

const warnings = async (): Promise<string[]> =>
  (await ask(await anOperator(shop.db), 'GET', '/api/v1/today')).body.warnings

describe('while the gateway for cards does not answer', () => {
  test('new cards go to the second one, and come back with its first answer; what has begun stays', async () => {
    await actAtStripe(shop, 'endpoints', { url: `${shop.url}/api/v1/payment/stripe` })
    await setRunningSetting(shop.db, 'card-second-gateway', 'stripe', null)
    onTestFinished(() => switchFaults(shop, { failCalls: 0 }))
    await switchFaults(shop, { failCalls: 1 })
    await watchUntil(isHosted)
    expect(await findSilence(shop.db)).toMatchObject({ gateway: 'gate', failed: SILENT_AFTER })
    expect(await warnings()).toContainEqual(expect.stringMatching(/^Gate has not answered since /))
    const { paymentId, page } = await aPageAttempt(shop)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ method: 'card', gateway: 'stripe' })
    await switchFaults(shop, { failCalls: 0 })
    await watchUntil(async () => !(await isHosted()))
    expect(await findSilence(shop.db)).toBeUndefined()
    await typeAtStripe(page)
    await reached(shop, paymentId, 'Success')
    const { paymentId: after } = await aPurchase(shop)
    expect((await paymentRow(shop, after)).gateway).toBe('gate')
  })

  test('they stay with it where no second one was chosen', async () => {
    await setRunningSetting(shop.db, 'card-second-gateway', null, null)
    onTestFinished(() => switchFaults(shop, { failCalls: 0 }))
    await switchFaults(shop, { failCalls: 1 })
    for (let times = 0; times < SILENT_AFTER + 1; times++) await hurry(shop, 'watch-card-gateway')
    expect(await isHosted()).toBe(false)
  })
})
