import { ApiError, createClient } from '@hedgerow/contract/client'
import { newRequestId } from '@hedgerow/contract/request-id'
import { routes } from '@hedgerow/contract/routes'
import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { runAs } from '#platform/instrumentation/work-context.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { uniqueEmail } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { aPurchase } from '#testing/payments.ts'
import { refundAtGateway } from '#testing/refunds.ts'
import { environmentOf, openGround, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const told = (id: string) => ({ headers: { 'x-request-id': id } })
const idOf = async (path: string, given?: string) =>
  (await shop.call('GET', path, given ? told(given) : {})).headers.get('x-request-id')

/** The jobs of a kind with how they are marked, the newest last. */
const marksOf = async (task: string) => {
  const { rows } = await sql<{ key: string | null; payload: object; flags: object | null }>`
    select key, payload, flags from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = task_id
    where identifier = ${task} order by job.id`.execute(shop.db)
  return rows
}

/** A shop in a process of its own that tells everything and whose mail server is away. */
const aLoggingShop = async (level = 'debug') => {
  const ground = await openGround({ env: { LOG_LEVEL: level } })
  onTestFinished(ground.close)
  ground.env.SMTP_URL = `smtp://127.0.0.1:${await freePort()}`
  const api = await startApiProcess(environmentOf(ground, await freePort()))
  onTestFinished(() => api.kill())
  return { ...ground, api, lines: () => logLines(api.output()) }
}

describe('the id of a call', () => {
  test('is the one that it brought, if that is well-formed', async () => {
    for (const id of ['kdmfaopbgcehnjil', 'A-b_c-12', 'x'.repeat(64)])
      expect(await idOf('/healthz', id)).toBe(id)
  })

  test.each([
    'short',
    'x'.repeat(65),
    'with space',
    'ada@example.org',
    'line\tbreak-and',
    '4000000000000077',
    '4000-0000-0000-0077',
    '',
  ])('is one of ours where it brought %j', async (given) => {
    const id = await idOf('/healthz', given)
    expect(id).toMatch(/^[a-p]{16}$/)
    expect(await idOf('/healthz', given)).not.toBe(id)
  })

  test('is on every answer: pages that are none, refusals, unreadable addresses', async () => {
    for (const path of [
      '/nowhere',
      '/api/v1/nowhere',
      '/api/v1/user/profile',
      '/%ff',
      '/api/v1/orders/%ff',
    ]) {
      const reply = await shop.call('GET', path, told('told-by-the-page'))
      expect(reply.headers.get('x-request-id'), path).toBe('told-by-the-page')
    }
  })

  test('is in every refusal', async () => {
    const reply = await shop.call('GET', '/api/v1/user/profile', told('told-by-the-page'))
    expect(expectProblem(reply, 401).body.requestId).toBe('told-by-the-page')
    const unreadable = await shop.call('POST', '/api/v1/user/login', {
      body: '{',
      headers: { 'content-type': 'application/json', 'x-request-id': 'told-by-the-page' },
    })
    expect(expectProblem(unreadable, 400).body.requestId).toBe('told-by-the-page')
  })

  test('is made by the page for each call, and shown with a refusal', async () => {
    const client = createClient(routes, { baseUrl: shop.url })
    const refusal = () => client.call('getProfile', {}).catch((error: unknown) => error as ApiError)
    const [first, second] = [(await refusal()) as ApiError, (await refusal()) as ApiError]
    expect(first).toBeInstanceOf(ApiError)
    expect(first.problem.requestId).toMatch(/^[a-p]{16}$/)
    expect(second.problem.requestId).not.toBe(first.problem.requestId)
  })
})

describe('a job', () => {
  test('is logged with the id of the call that led to it, whether it fails or is given up', async () => {
    const own = await aLoggingShop()
    const id = newRequestId()
    const body = {
      name: 'Ada',
      email: uniqueEmail(),
      signupPassword: 'a wren in the hedge 42',
      acceptTerms: true,
    }
    const reply = await own.api.call('POST', '/api/v1/user/create', { body, ...told(id) })
    expect(reply.status, reply.text).toBe(201)
    const failed = await until(() => own.lines().find(({ msg }) => msg === 'a job failed'))
    expect(failed).toMatchObject({ job: 'mail-confirmation', requestId: id })

    await sql`update graphile_worker._private_jobs set max_attempts = attempts + 1 where key is null and attempts < 100`.execute(
      own.db,
    )
    await until(async () => {
      await hurry(own, 'mail-confirmation')
      return own.lines().some(({ msg }) => msg === 'a job was given up')
    })
    expect(own.lines().find(({ msg }) => msg === 'a job was given up')).toMatchObject({
      job: 'mail-confirmation',
      requestId: id,
    })
    const call = own.lines().find(({ msg, requestId }) => msg === 'answered' && requestId === id)
    expect(call).toMatchObject({ method: 'POST', route: '/api/v1/user/create', status: 201 })

    // One that no call led to has an id of its own, as the other lines of its run.
    const { id: customerId } = await own.db.selectFrom('customers').select('id').executeTakeFirstOrThrow()
    await addJob(own.db, 'mail-reset', { customerId })
    const uncalled = await until(() =>
      own.lines().find(({ msg, job }) => msg === 'a job failed' && job === 'mail-reset'),
    )
    expect(uncalled.requestId).toMatch(/^[a-p]{16}$/)
  })

  test('is marked beside its payload, and hands the mark on to the jobs that it adds', async () => {
    const own = await aLoggingShop()
    const bought = await aPurchase({ call: own.api.call, db: own.db })
    const settings = { gate: { projectId: 57_123, secret: 'sandbox-secret' } } as typeof shop.settings
    // The gateway refunds it by itself and reports nothing: then it refuses to do so again.
    await switchFaults(own, { dropCallbacks: true })
    await refundAtGateway({ sandbox: own.sandbox, settings }, bought.paymentId)
    await runAs({ requestId: 'asked-for-a-refund' }, () =>
      requestRefund({ db: own.db }, { paymentId: bought.paymentId }),
    )
    const line = await until(() => own.lines().find(({ msg }) => msg === 'the gateway refused a refund'))
    expect(line).toMatchObject({ job: 'send-refund', requestId: 'asked-for-a-refund' })
    const failed = await until(() =>
      own.lines().find(({ msg, job }) => msg === 'a job failed' && job === 'mail-refund-failed'),
    )
    expect(failed.requestId).toBe('asked-for-a-refund')
  })

  test('with the same key is replaced, and carries the id of the last call', async () => {
    const later = { key: 'told-twice', inSeconds: 3600 }
    const payload = { paymentId: 'f'.repeat(32) }
    await runAs({ requestId: 'first-call' }, () => addJob(shop.db, 'mail-declined', payload, later))
    await runAs({ requestId: 'second-call' }, () => addJob(shop.db, 'mail-declined', payload, later))
    const jobs = (await marksOf('mail-declined')).filter(({ key }) => key === 'told-twice')
    expect(jobs).toEqual([{ key: 'told-twice', payload, flags: { 'request:second-call': true } }])
  })

  test('that comes round is not marked', async () => {
    await runAs({ requestId: 'some-call' }, () =>
      addJob(shop.db, 'tidy-up', {}, { key: 'not-the-round', inSeconds: 3600 }),
    )
    expect((await marksOf('tidy-up')).map(({ flags }) => flags)).toEqual([null, null])
  })
})

describe('what a call that fails says in the log', () => {
  test('is found by the reference that its customer was shown', async () => {
    const own = await aLoggingShop('info')
    await sql`alter table customers rename column name to renamed`.execute(own.db)
    const client = createClient(routes, { baseUrl: own.api.url })
    const body = {
      name: 'Ada',
      email: uniqueEmail(),
      signupPassword: 'a wren in the hedge 42',
      acceptTerms: true,
    } as const
    const error = (await client.call('signup', { body }).catch((one: unknown) => one)) as ApiError
    expect(error.status).toBe(500)
    expect(error.isUnexpected).toBe(true)
    // Nothing of what went wrong is the caller's business.
    expect(JSON.stringify(error.problem)).not.toMatch(/customers|column|42703|select|\.ts/i)
    const line = await until(() => own.lines().find(({ msg }) => msg === 'request failed'))
    expect(line.requestId).toBe(error.problem.requestId)
    expect(line).toMatchObject({ err: { code: '42703' } })
  })
})
