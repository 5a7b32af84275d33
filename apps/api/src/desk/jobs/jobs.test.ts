import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { anOrder } from '#testing/orders.ts'
import { answerChallenge, CARDS, reached, startPayment } from '#testing/payments.ts'

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
  await sql`update graphile_worker._private_jobs set key = 'of-a-test:' || id, last_error = ${error}, locked_by = ${locked},
    locked_at = case when ${locked}::text is not null then now() end,
    attempts = case when ${isGivenUp} then max_attempts else 0 end where id = ${id}::bigint`.execute(shop.db)
  return id
}

const listed = async (operator: TestOperator, id: string, query = '') => {
  const { body } = await ask(operator, 'GET', `/api/v1/jobs?rows=200&${query}`)
  return body.rows.find((one: { id: string }) => one.id === id)
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
    const [one, other, waits] = [await aJob(), await aJob(), await aJob({ isGivenUp: false })]
    expectProblem(await retry(await anOperator(shop.db, 'viewer'), one), 403)
    const twice = await Promise.all([retry(servers, one), retry(servers, one)])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(await listed(servers, one)).toMatchObject({ state: 'waiting', tries: 0 })
    const all = await ask(servers, 'POST', '/api/v1/jobs/retry')
    expect(all.body.retried).toBeGreaterThanOrEqual(1)
    expect(await listed(servers, other)).toMatchObject({ state: 'waiting', tries: 0 })
    expect(Date.parse((await listed(servers, waits)).runsAt)).toBeGreaterThan(Date.now() + 3_000_000)
    const commands = (await deedsOf(shop, servers)).map(({ command, subject }) => `${command} ${subject}`)
    expect(commands).toEqual([`job retry ${one}`, `job retry ${one}`, 'job retry-all null'])
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

  test('that is run again runs to its end', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const customer = await aCustomer(shop, { isConfirmed: false })
    const id = await aJob({ task: 'mail-confirmation', payload: { customerId: customer.id } })
    await retry(servers, id)
    await mailbox(shop).latest(customer.email, 'Confirm your email')
    await until(async () => !(await listed(servers, id)))
  })

  test.each([
    ['send-refund', 'It sends a refund that is owed'],
    ['deliver-payment', 'It delivers what was paid for'],
    ['refuse-withdrawals', 'It refuses withdrawals that someone else may have requested'],
    ['tidy-up', 'The shop cannot run without it'],
  ])('%s is not dropped: it is needed', async (task, why) => {
    const servers = await anOperator(shop.db, 'servers')
    const id = await aJob({ task })
    expect((await drop(servers, id)).body.detail).toBe(`${why}. Run it again instead.`)
    expect(await listed(servers, id)).toMatchObject({ state: 'given-up' })
  })

  test("with a bank's answer is dropped once its payment has ended", async () => {
    const servers = await anOperator(shop.db, 'servers')
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.challenged,
    })
    await reached(shop, paymentId, 'awaiting 3ds result')
    const id = await aJob({ task: 'send-challenge-result', payload: { paymentId, cres: 'secret' } })
    expect((await drop(servers, id)).body.detail).toBe(
      `Payment ${paymentId} has not ended, and may wait for it. Run it again instead.`,
    )
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect((await drop(servers, id)).body).toMatchObject({ id, about: `payment ${paymentId}` })
  })
})
