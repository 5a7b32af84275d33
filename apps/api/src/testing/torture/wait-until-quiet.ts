import { sql } from 'kysely'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import type { Db } from '#platform/database/client.ts'
import { RECURRING_JOBS } from '#platform/queue/add-job.ts'
import { type BookEntry, readBooks } from '#testing/torture/books.ts'
import { sleep } from '#testing/torture/shop-door.ts'
import { endAll } from '#testing/torture/vendors.ts'

/** Checks and jobs that wait for their clock are due now; nothing else is done for the shop. */
export const hurryAll = async (db: Db): Promise<void> => {
  await sql`update payments set next_check_at = now() where next_check_at > now()`.execute(db)
  await sql`update failing_invoices set next_try_at = now() where next_try_at > now()`.execute(db)
  await sql`update graphile_worker._private_jobs set run_at = now()
    where locked_at is null and run_at > now()`.execute(db)
  await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(db)
}

/** What counts as lost after a minute (an attempt that the gateway has not seen, a job of a dead process) is older than that. */
const letAMinutePass = async (db: Db): Promise<void> => {
  await sql`update payments set created_at = created_at - interval '2 minutes' where ended_at is null`.execute(
    db,
  )
  // A call that makes a claim counts as under way for ten minutes.
  await sql`update refunds set asked_at = asked_at - interval '11 minutes' where asked_at is not null`.execute(
    db,
  )
  await sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '2 minutes'
    where locked_at is not null`.execute(db)
}

/** The operator sends by hand what the gateway cannot give back, and what its customer has not claimed. */
const sendByHand = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from refunds where status = 'Pending' and (is_by_hand or claim_url is not null)`.execute(
    db,
  )
  for (const { payment_id } of rows) await resolveRefund({ db }, { paymentId: payment_id, verdict: 'sent' })
}

const isUnderWay = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from payments where ended_at is null)
      + (select count(*) from refunds where status = 'Pending' or status = 'Success' and not is_noted)
      + (select count(*) from graphile_worker.jobs
         where task_identifier <> all(${[...RECURRING_JOBS]}::text[]))
      + (select count(*) from payments where status = 'Success' and not refund_due and not is_invoiced)
      + (select count(*) from payments
         where status = 'Success' and partner_id is not null and not refund_due and not is_credited) as count`.execute(
    db,
  )
  return Number(rows[0]?.count) > 0
}

const EVERY_MS = 500

/** The books: while they change, or callbacks are tried, some are still on their way. */
const tallyOf = (books: readonly BookEntry[]): string =>
  JSON.stringify(
    books.map(({ callbacks, status, settled, refunded }) => [callbacks.tried, status, settled, refunded]),
  )

/** What was last seen of checks that go on after a payment has ended, and of which none was made since the books changed. */
const listChecks = async (db: Db): Promise<Map<string, number>> => {
  const { rows } = await sql<{ id: string; checks: number }>`
    select id, checks from payments where next_check_at is not null`.execute(db)
  return new Map(rows.map(({ id, checks }) => [id, checks]))
}

/** Taken twice since: the first may have been under way when the books changed. */
const isChecked = (before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): boolean =>
  [...before].every(([id, checks]) => (now.get(id) ?? Number.POSITIVE_INFINITY) >= checks + 2)

/** Lets everything come to its end, within a time. False: something is left under way. */
export const waitUntilQuiet = async (db: Db, sandboxUrl: string, withinMs: number): Promise<boolean> => {
  const end = Date.now() + withinMs
  await letAMinutePass(db)
  let tally = ''
  let checks = new Map<string, number>()
  while (Date.now() < end) {
    await hurryAll(db)
    await sendByHand(db)
    await endAll(sandboxUrl)
    await sleep(EVERY_MS)
    const books = await readBooks(sandboxUrl)
    const isSame = tallyOf(books) === tally
    if (!isSame) checks = await listChecks(db)
    tally = tallyOf(books)
    const isQuiet = isSame && books.every(({ waitsFor }) => waitsFor === null)
    if (isQuiet && !(await isUnderWay(db)) && isChecked(checks, await listChecks(db))) return true
  }
  return false
}
