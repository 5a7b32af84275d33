import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { openSecondFront, shopOfFile, startFront } from '#testing/test-shop.ts'

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
  // Of itself it would be cut after ten seconds at the earliest.
  expect(performance.now() - asked).toBeLessThan(9_000)
})

const isRefused = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  )

test('a process that stops says so first, and answers all the same until it has gone', async () => {
  const { databaseUrl, sandbox, env, gateCalls, holdGateCalls } = shop
  const ground = { databaseUrl, sandbox, gateCalls, holdGateCalls }
  const front = await startFront({ ...ground, env: { ...env, STOP_NOTICE_SECONDS: '8' } })
  const before = await front.call('GET', '/readyz')
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  const stopped = front.stop()
  const ready = await front.call('GET', '/readyz')
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '2'])
  for (const path of ['/healthz', '/api/v1/shop/items', '/nothing']) {
    const { status, headers } = await front.call('GET', path)
    expect([status < 500, headers.get('connection')], path).toEqual([true, 'close'])
  }
  await front.stopAtOnce()
  await stopped
  await until(() => isRefused(front.url))
})
