import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

type Given = {
  task?: string
  payload?: object
  isGivenUp?: boolean
  error?: string | null
  locked?: string | null
}

/** A job that no worker here runs. */
const aJob = async (given: Given = {}): Promise<string> => {
  const { task = 'not-run-here', payload = {}, isGivenUp = true, error = null, locked = null } = given
  const { rows } = await sql<{ id: string }>`select id::text as id from graphile_worker.add_job(${task},
    ${JSON.stringify(payload)}::json, run_at := now() + interval '1 hour', max_attempts := 15)`.execute(
    shop.db,
  )
  const id = rows[0]?.id ?? ''
  await sql`update graphile_worker._private_jobs set last_error = ${error}, locked_by = ${locked},
    locked_at = case when ${locked}::text is not null then now() end,
    attempts = case when ${isGivenUp} then max_attempts else 0 end where id = ${id}::bigint`.execute(shop.db)
  return id
}

const listed = async (operator: TestOperator, id: string, query = '') => {
  const { body } = await ask(operator, 'GET', `/api/v1/jobs?${query}`)
  return body.jobs.find((one: { id: string }) => one.id === id)
}

const retry = (operator: TestOperator, id: string) => ask(operator, 'POST', `/api/v1/jobs/${id}/retry`)
const drop = (operator: TestOperator, id: string) => ask(operator, 'DELETE', `/api/v1/jobs/${id}`)

describe('a job', () => {
  test('is listed with its ids and why it failed, and nothing of a person', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const customerId = randomUUID()
    const id = await aJob({
      payload: { customerId, md: 'secret', to: 'ada@example.org' },
      error: 'Error: 550 <ada@example.org> is unknown\n    at Mailer.send (/srv/shop/mailer.ts:1:1)',
    })
    const job = await listed(viewer, id)
    expect(job).toMatchObject({ state: 'given-up', tries: 15, about: `customer ${customerId}` })
    expect(JSON.stringify(job)).not.toMatch(/secret|ada@|mailer\.ts/)
    expect(await listed(viewer, id, 'state=waiting')).toBeUndefined()
    expect(await listed(viewer, id, 'state=given-up&name=not-run-here')).toBeDefined()
    expectProblem(await ask(viewer, 'GET', '/api/v1/jobs?state=lost'), 422)
    expectProblem(await ask(await anOperator(shop.db, 'support'), 'GET', '/api/v1/jobs'), 403)
  })

  test('is run again by those who may, one or all that were given up', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const [one, other] = [await aJob(), await aJob()]
    expectProblem(await retry(await anOperator(shop.db, 'viewer'), one), 403)
    expect((await retry(servers, one)).status).toBe(200)
    expect((await listed(servers, one)).state).toBe('waiting')
    const all = await ask(servers, 'POST', '/api/v1/jobs/retry')
    expect(all.body.retried).toBeGreaterThanOrEqual(1)
    expect((await listed(servers, other)).state).toBe('waiting')
    const commands = (await deedsOf(shop, servers)).map(({ command, subject }) => `${command} ${subject}`)
    expect(commands).toEqual([`job retry ${one}`, 'job retry null'])
  })

  test('that runs now, or is none, is left alone', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const running = await aJob({ isGivenUp: false, locked: 'a-worker' })
    expectProblem(await retry(servers, running), 409)
    expectProblem(await drop(servers, running), 409)
    for (const id of ['999999999', '0', 'x', '-1', '1e3', '9'.repeat(40), "1'--"]) {
      expectProblem(await retry(servers, encodeURIComponent(id)), 404)
      expectProblem(await drop(servers, encodeURIComponent(id)), 404)
    }
    await sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null where id = ${running}::bigint`.execute(
      shop.db,
    )
  })

  test('is dropped once, after a proof, and only when it was given up', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const waiting = await aJob({ isGivenUp: false })
    expectProblem(await drop(servers, waiting), 409)
    const id = await aJob()
    const late = await anOperator(shop.db, 'servers')
    await letOperatorProofAge(shop, late)
    expect((await drop(late, id)).body.code).toBe('ask-again')
    const replies = await Promise.all([drop(servers, id), drop(servers, id)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await listed(servers, id)).toBeUndefined()
  })
})

describe('an incident', () => {
  const open = (operator: TestOperator, given: object = {}) =>
    ask(operator, 'POST', '/api/v1/incidents', {
      body: { title: 'Slow tunnels', text: 'We look into it.', ...given },
    })

  const publicPage = async () => (await shop.call('GET', '/api/v1/status')).text

  test('is told to visitors, added to and closed', async () => {
    const support = await anOperator(shop.db, 'support')
    const title = `Slow ${randomUUID()}`
    const { body, status } = await open(support, { title })
    expect(status).toBe(201)
    await until(async () => (await publicPage()).includes(title))
    const path = `/api/v1/incidents/${body.id}`
    expect((await ask(support, 'POST', `${path}/updates`, { body: { text: 'Found it.' } })).status).toBe(200)
    expect((await ask(support, 'POST', `${path}/close`, { body: { text: 'Mended.' } })).body).toEqual({
      isChanged: true,
    })
    expect((await ask(support, 'POST', `${path}/close`, { body: {} })).body).toEqual({ isChanged: false })
    expectProblem(await ask(support, 'POST', `${path}/updates`, { body: { text: 'More.' } }), 409)
    const list = await ask(await anOperator(shop.db, 'finance'), 'GET', '/api/v1/incidents')
    const one = list.body.find(({ id }: { id: string }) => id === body.id)
    expect(one).toMatchObject({ title, state: 'over', isPlanned: false })
    expect(one.updates.map(({ text }: { text: string }) => text).toSorted()).toEqual([
      'Found it.',
      'Mended.',
      'We look into it.',
    ])
    const [deed] = await deedsOf(shop, support)
    expect(deed).toEqual({ command: 'incident open', subject: body.id, outcome: 'done', arguments: {} })
  })

  test('that is planned has an end that is to come', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    expect((await open(servers, { startsAt: inHours(1), endsAt: inHours(2) })).status).toBe(201)
    for (const [given, field] of [
      [{ startsAt: inHours(2), endsAt: inHours(1) }, 'endsAt'],
      [{ startsAt: inHours(-3), endsAt: inHours(-2) }, 'endsAt'],
      [{ startsAt: inHours(2) }, 'startsAt'],
      [{ places: ['Atlantis'] }, 'places'],
      [{ title: ' ' }, 'title'],
      [{ text: 'x'.repeat(2_001) }, 'text'],
    ] as const)
      expect((await open(servers, given)).body).toMatchObject({ status: 422, errors: [{ path: field }] })
  })

  test('is for those who may, of one that there is', async () => {
    for (const role of ['viewer', 'finance'] as const)
      expectProblem(await open(await anOperator(shop.db, role)), 403)
    const support = await anOperator(shop.db, 'support')
    const path = `/api/v1/incidents/${randomUUID()}`
    expect((await ask(support, 'POST', `${path}/updates`, { body: { text: 'More.' } })).status).toBe(409)
    expect((await ask(support, 'POST', `${path}/close`, { body: {} })).body).toEqual({ isChanged: false })
  })
})
