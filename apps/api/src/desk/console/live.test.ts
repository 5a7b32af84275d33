import { request } from 'node:http'
import type { LiveKind } from '@hedgerow/contract/console/live'
import { OPERATOR_ROLES, type OperatorRole } from '@hedgerow/domain/operator-roles'
import type { Reply } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { anOperator, consoleOfFile, headersOf, type TestOperator } from '#testing/console.ts'
import { moveSessions } from '#testing/operators.ts'
import { openSecondFront } from '#testing/test-shop.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

type Stream = { status: number | undefined; heard: () => string; isClosed: () => boolean; close: () => void }

const follow = (headers: Record<string, string>, console = consoleUrl): Promise<Stream> =>
  new Promise((done, failed) => {
    const asked = request(new URL('/api/v1/live', console), { headers }, (response) => {
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

/** Of another process of the same shop. */
const otherConsole = async (): Promise<string> => {
  const port = await freePort()
  const { db, databaseUrl, sandbox, env, gateCalls, holdGateCalls } = shop
  const ground = { db, databaseUrl, sandbox, gateCalls, holdGateCalls }
  await openSecondFront({ ...ground, env: { ...env, CONSOLE_PORT: String(port) } })
  return `http://127.0.0.1:${port}`
}

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

  type Way = readonly [string, (operator: TestOperator, owner: TestOperator) => Promise<Reply>]
  const WAYS: readonly Way[] = [
    ['logged out', (one) => ask(one, 'POST', '/api/v1/session/end')],
    ['ended', ({ id }, owner) => ask(owner, 'DELETE', `/api/v1/operators/${id}`)],
    [
      'given another role',
      ({ id }, owner) => ask(owner, 'PUT', `/api/v1/operators/${id}/role`, { body: { role: 'viewer' } }),
    ],
    ['sent a new link', ({ id }, owner) => ask(owner, 'POST', `/api/v1/operators/${id}/link`)],
  ]

  /** Whatever is told from now on. */
  const expectSilence = async (streams: readonly Stream[]) => {
    const owner = await streamOf(await anOperator(shop.db))
    await tell('order', 'afterwards')
    await until(() => owner.heard().includes('"afterwards"'))
    for (const stream of streams) {
      await until(stream.isClosed)
      expect(stream.heard()).not.toContain('afterwards')
    }
    owner.close()
  }

  test.each(WAYS)('closes at once, in every process, when its operator is %s', async (_, end) => {
    const operator = await anOperator(shop.db, 'manager')
    const streams = [await streamOf(operator), await follow(headersOf(operator), await otherConsole())]
    expect((await end(operator, await anOperator(shop.db))).status).toBeLessThan(300)
    await expectSilence(streams)
  })

  test('closes at once with its token, in every process, and others of its operator go on', async () => {
    const owner = await anOperator(shop.db)
    const { body } = await ask(owner, 'POST', '/api/v1/account/tokens', {
      body: { name: 'watcher', permissions: ['shop.see', 'payments.see'], days: 1 },
    })
    const headers = { authorization: `Bearer ${body.token}` }
    const streams = [await follow(headers), await follow(headers, await otherConsole())]
    const own = await streamOf(owner)
    await ask(owner, 'DELETE', `/api/v1/account/tokens/${body.id}`)
    await expectSilence(streams)
    await until(() => own.heard().includes('afterwards'))
  })

  const ENDS: readonly (readonly [string, Parameters<typeof moveSessions>[2]])[] = [
    ['half an hour without use', { last_used_at: sql<Date>`now() - interval '29 minutes 59 seconds'` }],
    ['twelve hours', { created_at: sql<Date>`now() - interval '11 hours 59 minutes 59 seconds'` }],
  ]
  test.each(ENDS)('closes after %s', async (_, times) => {
    const beat = withBeats()
    const operator = await anOperator(shop.db, 'manager')
    const stream = await streamOf(operator)
    await moveSessions(shop, operator, times)
    // The next but one would come too late.
    beat()
    await until(stream.isClosed)
  })

  test('closes when its token expires', async () => {
    const owner = await anOperator(shop.db)
    const { body } = await ask(owner, 'POST', '/api/v1/account/tokens', {
      body: { name: 'short', permissions: ['shop.see'], days: 1 },
    })
    await sql`update operator_tokens set expires_at = now() + interval '3 seconds' where id = ${body.id}`.execute(
      shop.db,
    )
    const stream = await follow({ authorization: `Bearer ${body.token}` })
    await until(stream.isClosed)
    expectProblem(await ask(undefined, 'GET', '/api/v1/today', { token: body.token }), 401)
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
