import { expect, test } from 'vitest'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const refund = (...args: string[]) => runOps(opsSettings(shop), 'refund', ...args)

test('a refund shows the payment before it asks, and is resolved by a command below it', async () => {
  const { paymentId } = await aPurchase(shop)
  const unasked = await refund(paymentId)
  expect(unasked.out).toMatch(/Left +€30\.00\n/)
  expect(unasked.err).toMatch(/^Refund this payment\? This cannot be undone\. .*--yes/)
  expect(unasked.code).toBe(1)
  expect(await refundsOf(shop, paymentId)).toEqual([])
  const { json } = await refund(paymentId, '--amount', '10.50', '--yes', '--json')
  expect(json).toMatchObject({ isNew: true, refund: { sum: { minor: 1050, currency: 'EUR' } } })
  const early = await refund('resolve', paymentId, json.refund.id, '--as', 'failed', '--yes')
  expect([early.code, early.err]).toEqual([
    1,
    expect.stringMatching(/^It has not been under way for an hour/),
  ])
})
