import { request } from 'node:http'
import type { LiveKind } from '@hedgerow/contract/console/live'
import { OPERATOR_ROLES, type OperatorRole } from '@hedgerow/domain/operator-roles'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { anOperator, consoleOfFile, headersOf, type TestOperator } from '#testing/console.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

type Stream = { status: number | undefined; heard: () => string; isClosed: () => boolean; close: () => void }

const follow = (headers: Record<string, string>): Promise<Stream> =>
  new Promise((done, failed) => {
    const asked = request(new URL('/api/v1/live', consoleUrl), { headers }, (response) => {
      let heard = ''
      let isClosed = false
      response.setEncoding('utf8').on('data', (text: string) => {
        heard += text
      })
      response
        .on('error', () => undefined)
        .on('close', () => {
          isClosed = true
        })
      done({
        status: response.statusCode,
        heard: () => heard,
        isClosed: () => isClosed,
        close: () => void asked.destroy(),
      })
    })
    asked.on('error', failed).end()
    onTestFinished(() => void asked.destroy())
  })

const streamOf = (operator: TestOperator) => follow(headersOf(operator))

/** As the triggers of the tables tell it. */
const tell = (kind: LiveKind, id: string) =>
  sql`select pg_notify('changed', ${`live ${kind}:${id}`})`.execute(shop.db)

const KINDS: readonly LiveKind[] = [
  'payment',
  'order',
  'refund',
  'conversation',
  'node',
  'withdrawal',
  'incident',
]

/** By the table of roles. */
const HEARD: Readonly<Record<OperatorRole, readonly LiveKind[]>> = {
  owner: KINDS,
  manager: KINDS,
  support: ['payment', 'order', 'refund', 'conversation', 'node', 'incident'],
  finance: ['payment', 'order', 'refund', 'withdrawal', 'incident'],
  servers: ['node', 'incident'],
  viewer: KINDS,
}

afterEach(() => {
  vi.useRealTimers()
})

/** So much later, for what beats in this process; everything else goes on by the real clock. */
const withBeats = () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  return () => vi.advanceTimersByTime(26_000)
}

describe('what changes', () => {
  test.each(OPERATOR_ROLES)('is told to %s as far as they may see it', async (role) => {
    const stream = await streamOf(await anOperator(shop.db, role))
    expect(stream.status).toBe(200)
    const owner = await streamOf(await anOperator(shop.db))
    for (const kind of KINDS) await tell(kind, `${role}-1`)
    await until(() => KINDS.every((kind) => owner.heard().includes(`"kind":"${kind}","id":"${role}-1"`)))
    const told = KINDS.filter((kind) => stream.heard().includes(`"kind":"${kind}","id":"${role}-1"`))
    expect(told).toEqual(HEARD[role])
    owner.close()
    stream.close()
  })

  test('is told by kind and id only', async () => {
    const stream = await streamOf(await anOperator(shop.db))
    const manager = await anOperator(shop.db, 'manager')
    const body = { title: 'Slow in London', text: 'We are looking into it.' }
    const { body: made } = await ask(manager, 'POST', '/api/v1/incidents', { body })
    await until(() => stream.heard().includes(`data: {"kind":"incident","id":"${made.id}"}\n\n`))
    expect(stream.heard()).not.toContain('London')
  })

  test('is told in few words where much changes at once', async () => {
    const stream = await streamOf(await anOperator(shop.db))
    await sql`select pg_notify('changed', 'live order:flood-' || n) from generate_series(1, 500) n`.execute(
      shop.db,
    )
    await until(() => stream.heard().includes('{"kind":"order","id":"*"}'))
    expect(stream.heard().split('data:').length).toBeLessThan(60)
  })

  test('is told to nobody who is not in', async () => {
    expectProblem(await ask(undefined, 'GET', '/api/v1/live'), 401)
    expectProblem(await ask({ session: 'x'.repeat(43) }, 'GET', '/api/v1/live'), 401)
  })
})

describe('a stream', () => {
  test('beats, so that no proxy takes it for dead', async () => {
    const beat = withBeats()
    const stream = await streamOf(await anOperator(shop.db, 'viewer'))
    beat()
    await until(() => stream.heard().includes(': here\n\n'))
    expect(stream.isClosed()).toBe(false)
  })

  const WAYS: readonly (readonly [string, (operator: TestOperator) => Promise<unknown>])[] = [
    ['logged out', (one) => ask(one, 'POST', '/api/v1/session/end')],
    [
      'ended',
      ({ id }) =>
        shop.db.updateTable('operators').set({ ended_at: new Date() }).where('id', '=', id).execute(),
    ],
    [
      'given another role',
      ({ id }) => shop.db.updateTable('operators').set({ role: 'viewer' }).where('id', '=', id).execute(),
    ],
    [
      'away for half an hour',
      ({ id }) =>
        sql`update operator_sessions set last_used_at = now() - interval '31 minutes' where operator_id = ${id}`.execute(
          shop.db,
        ),
    ],
  ]

  test.each(WAYS)('closes once its operator was %s', async (_, end) => {
    const beat = withBeats()
    const operator = await anOperator(shop.db, 'manager')
    const stream = await streamOf(operator)
    beat()
    await until(() => stream.heard().includes(': here'))
    await end(operator)
    beat()
    await until(stream.isClosed)
  })

  test('of a token closes with it', async () => {
    const beat = withBeats()
    const owner = await anOperator(shop.db)
    const { body } = await ask(owner, 'POST', '/api/v1/account/tokens', {
      body: { name: 'watcher', permissions: ['shop.see', 'payments.see'], days: 1 },
    })
    const stream = await follow({ authorization: `Bearer ${body.token}` })
    expect(stream.status).toBe(200)
    beat()
    await until(() => stream.heard().includes(': here'))
    await ask(owner, 'DELETE', `/api/v1/account/tokens/${body.id}`)
    beat()
    await until(stream.isClosed)
  })

  test('is one of eight of an operator at most, and makes room when it closes', async () => {
    const operator = await anOperator(shop.db, 'viewer')
    const streams = await Promise.all(Array.from({ length: 8 }, () => streamOf(operator)))
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect((await streamOf(operator)).status).toBe(429)
    expect((await streamOf(await anOperator(shop.db, 'viewer'))).status).toBe(200)
    streams[0]?.close()
    await until(async () => (await streamOf(operator)).status === 200)
  })
})
