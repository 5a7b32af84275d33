import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

test('a connection that was opened ahead, and on which nothing was asked, holds no stop', async () => {
  const front = await openSecondFront(shop)
  const ahead = connect(Number(new URL(front.url).port), '127.0.0.1')
  await once(ahead, 'connect')
  const closed = once(ahead, 'close')
  ahead.on('error', () => undefined).resume()
  const asked = performance.now()
  await front.stop()
  await closed
  expect(performance.now() - asked).toBeLessThan(5_000)
})
