import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { programFile } from '@hedgerow/testing/programs'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { addJob } from '#platform/queue/add-job.ts'
import { aCustomer } from '#testing/customers.ts'
import { environmentOf, openGround, startFront } from '#testing/test-shop.ts'

const run = promisify(execFile)

const tryCopy = async (env: Record<string, string>) =>
  run(process.execPath, [await programFile('apps/api/src/try-copy.ts')], {
    env: { ...programEnvironment(), ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout + stderr }),
  )

test('a shop that is tried on a copy answers, and sends nothing', { timeout: 120_000 }, async () => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const { id } = await aCustomer(ground)
  await addJob(ground.db, 'mail-confirmation', { customerId: id })
  const env = environmentOf(ground, 3000)
  expect(await tryCopy(env)).toEqual({ code: 0, out: 'A shop starts on the copy and answers.\n' })
  const { rows } = await sql<{ attempts: number }>`
    select attempts from graphile_worker.jobs where task_identifier = 'mail-confirmation'`.execute(ground.db)
  expect(rows).toEqual([{ attempts: 0 }])
  expect(ground.gateCalls).toEqual([])
})

test('the shop’s own database is no copy, and is left alone', { timeout: 120_000 }, async () => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const front = await startFront(ground)
  onTestFinished(front.stop)
  const { code, out } = await tryCopy(environmentOf(ground, 3000))
  expect(code).toBe(1)
  expect(out).toBe('A shop is connected to this database, so it is no copy. Nothing was started.\n')
})
