import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { answerChallenge, CARDS, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const job = (...args: string[]) => runOps(opsSettings(shop), 'job', ...args)

type Given = { task?: string; payload?: object; isGivenUp?: boolean; error?: string; locked?: string }

const aJob = async (given: Given = {}): Promise<string> => {
  const { task = 'not-run-here', payload = {}, isGivenUp = true, error = null, locked = null } = given
  const { rows } = await sql<{ id: string }>`select id::text as id from graphile_worker.add_job(${task},
    ${JSON.stringify(payload)}::json, run_at := now() + interval '1 hour', max_attempts := 15)`.execute(
    shop.db,
  )
  const id = rows[0]?.id ?? ''
  await sql`update graphile_worker._private_jobs set key = 'of-a-test:' || id, last_error = ${error}, locked_by = ${locked},
    locked_at = case when ${locked}::text is not null then now() end,
    attempts = case when ${isGivenUp} then max_attempts else 0 end where id = ${id}::bigint`.execute(shop.db)
  return id
}

const listed = async (id: string) =>
  (await job('list', '--json')).json.jobs.find((one: { id: string }) => one.id === id)

describe('ops job list', () => {
  test('tells how jobs stand, with ids and errors, and nothing of a person', async () => {
    const customerId = randomUUID()
    const id = await aJob({
      payload: { customerId, cres: 'secret', md: 'ada@example.org', paymentId: 'not an id' },
      error: 'Error: 550 <ada@example.org> is unknown to "ada@example.org"\n    at Mailer.send',
    })
    expect(await listed(id)).toEqual({
      id,
      name: 'not-run-here',
      state: 'given-up',
      tries: 15,
      mostTries: 15,
      runsAt: null,
      createdAt: expect.any(String),
      error: 'Error: 550 <(an email address)> is unknown to "(an email address)"',
      ids: { customerId: [customerId] },
    })
    const { out } = await job('list', '--state', 'given-up')
    expect(out).toMatch(
      new RegExp(
        `^JOB +NAME +STATE +TRIES +NEXT +ABOUT +ERROR\n[^]*${id} +not-run-here +given-up +15 of 15 +customer ${customerId} +Error: 550`,
      ),
    )
    expect(out).not.toMatch(/secret|ada@/)
  })

  test('lets no error that others wrote move the terminal', async () => {
    await aJob({ error: 'Error: 550 \u001b[2J \u009b2J \u007f here', task: 'moves-terminals' })
    for (const more of [[], ['--json']]) {
      const { out } = await job('list', '--name', 'moves-terminals', ...more)
      expect(out).toContain('Error: 550')
      expect(out).not.toMatch(/(?!\n)\p{Cc}/u)
    }
  })

  test('narrows by state and name, and says when there is more', async () => {
    const waiting = await aJob({ isGivenUp: false, task: 'waits-here' })
    await aJob({ isGivenUp: false, task: 'waits-here' })
    expect(await listed(waiting)).toMatchObject({ state: 'waiting', runsAt: expect.stringMatching(/Z$/) })
    const { json } = await job('list', '--name', 'waits-here', '--state', 'waiting', '--limit', '1', '--json')
    expect(json).toMatchObject({ jobs: [{ id: waiting }], hasMore: true })
    expect((await job('list', '--name', 'waits-here', '--state', 'given-up')).out).toBe('No jobs found.\n')
  })
})

describe('ops job retry', () => {
  test('runs a job again that was given up, to its end', async () => {
    const customer = await aCustomer(shop, { isConfirmed: false })
    const id = await aJob({ task: 'mail-confirmation', payload: { customerId: customer.id } })
    const { out, code } = await job('retry', id)
    expect(out).toBe(`The running shop runs job ${id} again as soon as it has time.\n`)
    expect(code).toBe(0)
    await mailbox(shop).latest(customer.email, 'Confirm your email')
    await until(async () => !(await listed(id)))
    const again = await job('retry', id)
    expect(again.err).toBe(`There is no job ${id}. It may have finished meanwhile.\n`)
    expect(again.code).toBe(1)
  })

  test('runs all that were given up, and leaves the others', async () => {
    await job('retry', '--all-given-up')
    const ids = await Promise.all([aJob(), aJob()])
    const waits = await aJob({ isGivenUp: false })
    expect((await job('retry', '--all-given-up')).out).toBe('The running shop runs 2 jobs again now.\n')
    for (const id of ids) expect(await listed(id)).toMatchObject({ state: 'waiting', tries: 0 })
    expect(Date.parse((await listed(waits)).runsAt)).toBeGreaterThan(Date.now() + 3_000_000)
    expect((await job('retry', '--all-given-up')).out).toBe('No job has been given up.\n')
  })

  test('twice at once is as once', async () => {
    const id = await aJob()
    const outcomes = await Promise.all([1, 2].map(() => job('retry', id)))
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0])
    expect(await listed(id)).toMatchObject({ state: 'waiting', tries: 0 })
  })

  test('leaves one alone that runs', async () => {
    const id = await aJob({ isGivenUp: false, locked: 'somebody' })
    const { code, err } = await job('retry', id)
    expect(err).toBe(`Job ${id} is running now.\n`)
    expect(code).toBe(1)
  })

  test.each(['0', '999999999999999999', '9'.repeat(30), 'x'])('knows no job %s', async (id) => {
    const { code, err } = await job('retry', id)
    expect(err).toMatch(/^There is no job .*\n$/)
    expect(code).toBe(1)
  })

  test.each([[[]], [['1', '--all-given-up']]])('wants a job or all: %j', async (args) => {
    const { code, err } = await job('retry', ...args)
    expect(err).toMatch(/^error: name the job, or add --all-given-up\n/)
    expect(code).toBe(2)
  })
})

describe('ops job drop', () => {
  test('deletes a job that was given up, once, and says what is never done', async () => {
    const customerId = randomUUID()
    const id = await aJob({ task: 'mail-confirmation', payload: { customerId } })
    const asked = await job('drop', id)
    expect(asked.err).toBe(
      `Drop job ${id} (mail-confirmation, customer ${customerId})? It will never be done. There is no terminal to answer in. To go ahead, add --yes.\n`,
    )
    expect(await listed(id)).toMatchObject({ state: 'given-up' })
    const { out, code } = await job('drop', id, '--yes')
    expect(out).toBe(
      `Dropped: job ${id} (mail-confirmation, customer ${customerId}). It will never be done.\n`,
    )
    expect(code).toBe(0)
    expect(await listed(id)).toBeUndefined()
    const again = await job('drop', id, '--yes')
    expect(again.err).toBe(`There is no job ${id}. It may have finished meanwhile.\n`)
    expect(again.code).toBe(1)
    expect((await job('drop', await aJob(), '--yes', '--json')).json).toEqual({ dropped: 1 })
  })

  test('twice at once drops it once', async () => {
    const id = await aJob()
    const outcomes = await Promise.all([1, 2].map(() => job('drop', id, '--yes')))
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1])
  })

  test.each([
    ['waits', { isGivenUp: false }],
    ['runs', { isGivenUp: false, locked: 'somebody' }],
  ])('leaves one alone that %s', async (_, given) => {
    const id = await aJob(given)
    const { code, err } = await job('drop', id, '--yes')
    expect(err).toBe(`Job ${id} is not dropped: it has not been given up.\n`)
    expect(code).toBe(1)
    expect(await listed(id)).toBeDefined()
  })

  test.each([
    ['send-refund', 'it sends a refund that is owed'],
    ['deliver-payment', 'it delivers what was paid for'],
    ['tidy-up', 'the shop cannot run without it'],
  ])('refuses %s, which is needed', async (task, why) => {
    const id = await aJob({ task })
    const { code, err } = await job('drop', id, '--yes')
    expect(err).toBe(`Job ${id} is not dropped: ${why}. To run it again, use job retry.\n`)
    expect(code).toBe(1)
    expect(await listed(id)).toMatchObject({ state: 'given-up' })
  })

  test("refuses a bank's answer while its payment lives, and drops it afterwards", async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.challenged,
    })
    await reached(shop, paymentId, 'awaiting 3ds result')
    const id = await aJob({ task: 'send-challenge-result', payload: { paymentId, cres: 'secret' } })
    expect((await job('drop', id, '--yes')).err).toBe(
      `Job ${id} is not dropped: payment ${paymentId} has not ended, and may wait for it. To run it again, use job retry.\n`,
    )
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect((await job('drop', id, '--yes')).out).toBe(
      `Dropped: job ${id} (send-challenge-result, payment ${paymentId}). It will never be done.\n`,
    )
  })

  test.each(['0', '9'.repeat(30), 'x'])('knows no job %s', async (id) => {
    expect((await job('drop', id, '--yes')).err).toMatch(/^There is no job /)
  })
})
