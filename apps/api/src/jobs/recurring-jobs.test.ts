import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { replaceStuckRuns } from '#jobs/recurring-jobs.ts'
import { RECURRING_JOBS } from '#platform/queue/add-job.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { aCustomer } from '#testing/customers.ts'
import { addDueChecks } from '#testing/due-checks.ts'
import { hurry, makeDue } from '#testing/jobs.ts'
import { metric } from '#testing/metrics.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import {
  environmentOf,
  openGround,
  openSecondFront,
  startFront,
  startTestShop,
  type TestShop,
} from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db'>
type Run = { task: string; is_running: boolean; is_given_up: boolean; attempts: number }

/** All that the queue has of recurring jobs. */
const runsOf = async ({ db }: Shop): Promise<Run[]> => {
  const { rows } = await sql<Run>`
    select task_identifier as task, locked_at is not null as is_running, locked_at is null and attempts >= max_attempts as is_given_up, attempts
    from graphile_worker.jobs where task_identifier = any(${[...RECURRING_JOBS]}::text[]) order by 1`.execute(
    db,
  )
  return rows
}

/** Waits until a job was run that is run again and again. */
const comesRound = async (shop: Shop, task: string) => {
  const { rows: before } = await sql<{ last: string }>`
    select max(id)::text as last from graphile_worker._private_jobs`.execute(shop.db)
  const last = before[0]?.last
  await until(async () => {
    await hurry(shop, task)
    const { rows } = await sql`select from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = task_id
      where identifier = ${task} and job.id > ${last}::bigint`.execute(shop.db)
    return rows.length > 0
  })
}

const tasksOf = (runs: readonly Run[]) => runs.map(({ task }) => task)

/** A shop in a process of its own, whose log can be read. */
const aLoggingShop = async () => {
  const ground = await openGround({ env: { LOG_LEVEL: 'info' } })
  onTestFinished(ground.close)
  const api = await startApiProcess(environmentOf(ground, await freePort()))
  onTestFinished(() => api.kill())
  return { ...ground, api, lines: (msg: string) => logLines(api.output()).filter((line) => line.msg === msg) }
}

const FAILED = 'a recurring job failed, and will run again'

test('a run that fails leaves no failed job, is logged ever more rarely, and is followed by the next', async () => {
  const shop = await aLoggingShop()
  await sql`alter table failing_invoices rename to elsewhere`.execute(shop.db)
  const runs = () => shop.lines(FAILED).at(-1)?.runs as number | undefined
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return (runs() ?? 0) >= 8
  })
  expect(shop.lines(FAILED).map((line) => [line.job, line.runs])).toEqual([
    ['issue-invoices', 1],
    ['issue-invoices', 2],
    ['issue-invoices', 4],
    ['issue-invoices', 8],
  ])
  await until(async () => tasksOf(await runsOf(shop)).join() === [...RECURRING_JOBS].sort().join())
  expect((await runsOf(shop)).filter(({ is_given_up }) => is_given_up)).toEqual([])
  await sql`alter table elsewhere rename to failing_invoices`.execute(shop.db)
  await until(async () => {
    await hurry(shop, 'issue-invoices')
    return shop.lines('a recurring job works again').length > 0
  })
})

test('one step that fails does not keep the others of its job from being done', async () => {
  const shop = await startTestShop()
  await sql`alter table farewells rename to elsewhere`.execute(shop.db)
  await sql`insert into velocity_counts (key, kind, payment_ids, most, minutes, tried_at)
    values ('old', 'account', '{}', 1, 60, now() - interval '30 days')`.execute(shop.db)
  await until(async () => {
    await hurry(shop, 'tidy-up')
    return (await shop.db.selectFrom('velocity_counts').selectAll().execute()).length === 0
  })
})

test('a row that is locked keeps no step of the tidying from being done but its own', async () => {
  const shop = await startTestShop()
  const held = await shop.db.startTransaction().execute()
  onTestFinished(async () => void (await held.rollback().execute()))
  await sql`lock table rate_counts in exclusive mode`.execute(held)
  await sql`insert into velocity_counts (key, kind, payment_ids, most, minutes, tried_at)
    values ('old', 'account', '{}', 1, 60, now() - interval '30 days')`.execute(shop.db)
  await until(async () => {
    await hurry(shop, 'tidy-up')
    return (await shop.db.selectFrom('velocity_counts').selectAll().execute()).length === 0
  })
})

test('however much is due is gone after the round, but for locked rows', async () => {
  const shop = await startTestShop()
  const { id } = await aCustomer(shop)
  await sql`insert into sessions (token_hash, customer_id, expires_at)
    select decode(md5(n::text), 'hex'), ${id}, now() - interval '1 second' from generate_series(1, 2500) n`.execute(
    shop.db,
  )
  await sql`insert into account_links (token_hash, customer_id, purpose, expires_at)
    select decode(md5(n::text), 'hex'), ${id}, 'reset', now() - interval '31 days' from generate_series(1, 2500) n`.execute(
    shop.db,
  )
  const held = await shop.db.startTransaction().execute()
  await sql`select from sessions where token_hash = decode(md5('1000'), 'hex') for update`.execute(held)
  const left = async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from sessions where expires_at < now())::int
        + (select count(*) from account_links)::int as count`.execute(shop.db)
    return rows[0]?.count
  }
  const isLeft = (count: number) =>
    until(async () => {
      await hurry(shop, 'tidy-up')
      return (await left()) === count
    })
  await isLeft(1)
  await held.rollback().execute()
  await isLeft(0)
})

test('runs that are stuck leave the other jobs of their lane their workers', async () => {
  const shop = await startTestShop({ hasAllWorkers: true, env: { DATABASE_STATEMENT_TIMEOUT: '600' } })
  const held = await shop.db.startTransaction().execute()
  onTestFinished(async () => void (await held.rollback().execute()))
  await sql`lock table failing_invoices in access exclusive mode`.execute(held)
  const underWay = async () =>
    (await runsOf(shop)).filter(({ task, is_running }) => task === 'issue-invoices' && is_running).length
  for (let run = 1; run <= 5; run++) {
    await makeDue(shop, 'issue-invoices')
    await until(async () => {
      const { rows } = await sql`select from graphile_worker.jobs
        where task_identifier = 'issue-invoices' and locked_at is null and run_at <= now()`.execute(shop.db)
      return rows.length === 0
    })
    await sql`update graphile_worker._private_jobs set locked_at = now() - interval '6 minutes'
      where locked_at is not null and key = 'issue-invoices'`.execute(shop.db)
    await replaceStuckRuns(shop)
  }
  await comesRound(shop, 'credit-partners')
  expect(await underWay()).toBe(2)
})

test('two processes do not run one job at once, also where one starts while the other is at it', async () => {
  const shop = await startTestShop()
  const hold = shop.holdGateCalls('/payment/status')
  onTestFinished(hold.release)
  const customer = await aCustomer(shop)
  await addDueChecks(shop, customer, 1)
  await makeDue(shop, 'check-payments')
  await until(() => hold.count('/payment/status') === 1)
  const second = await openSecondFront(shop)
  const [late] = await addDueChecks(shop, customer, 1)
  await makeDue(shop, 'check-payments')
  // The other recurring jobs come round meanwhile, in whichever process.
  await comesRound(shop, 'credit-partners')
  const checks = (await runsOf(shop)).filter(({ task }) => task === 'check-payments')
  expect(checks).toMatchObject([{ is_running: true }])
  const asked = () => shop.gateCalls.some(({ body }) => body.general?.payment_id === late)
  expect(asked()).toBe(false)
  hold.release()
  await until(async () => {
    await hurry(shop, 'check-payments')
    return asked()
  })
  await second.stop()
})

test('what an older version left of them is gone after a start, and each is there once', async () => {
  const ground = await openGround()
  onTestFinished(ground.close)
  for (const task of RECURRING_JOBS) {
    // Given up, waiting for another try for hours, and planned.
    await sql`select graphile_worker.add_job(${task}, max_attempts := 1)`.execute(ground.db)
    await sql`update graphile_worker._private_jobs set attempts = 1`.execute(ground.db)
    await sql`select graphile_worker.add_job(${task}, run_at := now() + interval '6 hours')`.execute(
      ground.db,
    )
    await sql`select graphile_worker.add_job(${task}, job_key := ${task}, run_at := now() + interval '6 hours')`.execute(
      ground.db,
    )
  }
  const front = await startFront(ground)
  onTestFinished(front.stop)
  await until(async () => tasksOf(await runsOf(ground)).join() === [...RECURRING_JOBS].sort().join())
  const { rows } =
    await sql`select from graphile_worker.jobs where run_at > now() + interval '1 hour'`.execute(ground.db)
  expect(rows).toEqual([])
})

test('a job whose run is stuck comes round without it', async () => {
  const ground = await openGround()
  onTestFinished(ground.close)
  await sql`select graphile_worker.add_job('tidy-up', job_key := 'tidy-up')`.execute(ground.db)
  // Of a process whose machine is gone, which the database does not know.
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '6 minutes', locked_by = 'gone'`.execute(
    ground.db,
  )
  await sql`insert into job_workers select 'gone', pid, backend_start from pg_stat_activity where backend_type = 'checkpointer'`.execute(
    ground.db,
  )
  const front = await startFront(ground)
  onTestFinished(front.stop)
  await until(async () => {
    const runs = (await runsOf(ground)).filter(({ task }) => task === 'tidy-up')
    return runs.some(({ is_running }) => !is_running)
  })
})

test('a run whose process ended before it could say so is no job that was given up, and is not run again', async () => {
  const shop = await startTestShop()
  // Its next one is planned, which took its key and its tries; then its process was killed, and others gave it free.
  const { rows } = await sql<{ id: string }>`
    select id::text as id from graphile_worker.add_job('check-payments', run_at := now() + interval '1 hour')`.execute(
    shop.db,
  )
  const id = rows[0]?.id ?? ''
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where id = ${id}::bigint`.execute(
    shop.db,
  )
  const job = async (...args: string[]) => (await runOps(opsSettings(shop), 'job', ...args)).out
  expect(await job('list', '--state', 'given-up')).toBe('There are none.\n')
  expect(await metric(shop, 'hedgerow_queue_jobs', { task: 'check-payments', state: 'given_up' })).toBe(0)
  expect(await job('retry-all')).toMatch(/^Retried +0\n/)
  const left = await sql<{ attempts: number }>`
    select attempts from graphile_worker._private_jobs where id = ${id}::bigint`.execute(shop.db)
  expect(left.rows.filter(({ attempts }) => attempts === 0)).toEqual([])
})
