import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reply } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NOT_IN_BACKUPS } from '#people/credentials/end-after-restore.ts'
import { openDatabase } from '#platform/database/client.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { aCustomer, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import { aGuard } from '#testing/guards.ts'
import { liveIn } from '#testing/lived-in-shop.ts'
import { agentWith } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { answerChallenge, aPurchase, reached, startPayment } from '#testing/payments.ts'
import { emptyDatabase } from '#testing/test-database.ts'
import { type Front, openGround, startFront, type TestShop } from '#testing/test-shop.ts'
import { rulesOf, wholeQueue, wholeTables } from '#testing/whole-tables.ts'

/** What a backup leaves out on purpose, what it records of itself, and where a restore makes a new beginning. */
const NOT_THE_SAME = {
  tables: [
    ...NOT_IN_BACKUPS,
    'job_workers',
    'key_holders',
    'kysely_migration',
    'operator_actions',
    'operator_record',
  ],
  columns: {
    nodes: ['revision', 'horizon', 'applied_revision', 'enrolment_hash', 'enrolment_expires_at'],
    totp_secrets: ['pending_encrypted', 'pending_until', 'pending_session_id'],
    customers: ['second_step_ends_at', 'way_back_hash'],
    connections: ['link_hash', 'linked_at', 'link_expires_at'],
  },
}

const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const aFile = async () => join(await aFolder(), 'shop.backup')

/** A shop whose processes can be stopped without losing its data. */
const aShop = async () => {
  const { close, ...ground } = await openGround()
  onTestFinished(close)
  const front = await startFront(ground)
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= front.stop()
    return stopped
  }
  onTestFinished(stop)
  return { ...ground, ...front, stop } satisfies TestShop
}

const key = ({ env }: Pick<TestShop, 'env'>) => ({ KEY_ENCRYPTION_KEY: env.KEY_ENCRYPTION_KEY ?? '' })

const backUp = async (shop: TestShop): Promise<string> => {
  const file = await aFile()
  const { code, err } = await runOps({ ...opsSettings(shop), ...key(shop) }, 'backup', file)
  expect(err).toBe('')
  expect(code).toBe(0)
  return file
}

/** An empty database with the backup in it, not in use yet. Nothing was withdrawn since. */
const restored = async (shop: TestShop, file: string, ...args: string[]) => {
  const database = await emptyDatabase()
  const { db } = openDatabase(database.url, () => undefined, 4)
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
  })
  const outcome = await runOps(
    { DATABASE_URL: database.url, ...key(shop) },
    'restore',
    file,
    '--yes',
    '--keep-ways-in',
    ...args,
  )
  expect(outcome.err).toBe('')
  expect(outcome.code).toBe(0)
  const open = async (): Promise<TestShop> => {
    const ground = { ...shop, databaseUrl: database.url }
    const front: Front = await startFront(ground)
    onTestFinished(front.stop)
    return { ...ground, ...front, db }
  }
  return { db, out: outcome.out, open }
}

const logIn = async (shop: Pick<TestShop, 'call'>, { email }: TestCustomer): Promise<string> => {
  const { body } = await shop.call('POST', '/api/v1/user/login', {
    body: { username: email, password: PASSWORD },
  })
  return body.access_token
}

/** All that the shop tells a customer, with the invoices as they are printed. */
const shownTo = async (shop: Pick<TestShop, 'call' | 'url'>, token: string) => {
  const get = (path: string): Promise<Reply> => shop.call('GET', `/api/v1/${path}`, { token })
  const paths = ['user/profile', 'orders', 'payment/history', 'partnership', 'shop/layers', 'shop/items']
  const at = async (path: string) =>
    JSON.parse(
      (await get(path)).text
        .replaceAll(shop.url, 'https://shop')
        .replaceAll(/"(sharedAt|sharedUntil)":"[^"]+"/g, '"$1":null'),
    )
  const answers = await Promise.all(paths.map(at))
  const orders = answers[1] as { orderId: string; status: string }[]
  const invoices: string[] = []
  for (const { orderId } of orders.filter(({ status }) => status === 'Completed'))
    invoices.push(Buffer.from((await get(`orders/${orderId}/invoice`)).bytes).toString('base64'))
  return { answers, invoices }
}

const invoiceNumbers = async ({ db }: Pick<TestShop, 'db'>): Promise<number[]> =>
  (await db.selectFrom('invoices').select('number').orderBy('number').execute()).map(({ number }) => number)

describe('a shop restored from its backup', { timeout: 120_000 }, () => {
  test('is the same shop: the same rows, the same answers, and it goes on selling', async () => {
    const shop = await aShop()
    const { customers, paid, openPaymentId } = await liveIn(shop)
    const [ada, ben] = customers as [TestCustomer, TestCustomer]
    const before = { ada: await shownTo(shop, ada.token), ben: await shownTo(shop, ben.token) }
    expect(before.ada.invoices.length + before.ben.invoices.length).toBeGreaterThan(4)
    const guarded = await aCustomer(shop)
    await aGuard(shop, guarded.id)
    await shop.stop()
    await addJob(shop.db, 'mail-receipt', { orderId: paid.order.orderId }, { inSeconds: 1 })
    const { number } = await shop.db
      .selectFrom('invoices')
      .select('number')
      .where('order_id', '=', paid.order.orderId)
      .executeTakeFirstOrThrow()
    const receipts = () => mailbox(shop).list(ada.email, String(number).padStart(6, '0'))
    const receiptsBefore = (await receipts()).length
    const rows = await wholeTables(shop, NOT_THE_SAME)
    const jobs = await wholeQueue(shop)
    expect(jobs.length).toBeGreaterThan(0)

    const { db, open, out } = await restored(shop, await backUp(shop))
    expect(out).toMatch(/reconcile --since \d{4}-\d\d-\d\dT/)
    expect(out).toContain('Withdrawals and refunds that you sent by hand since then are owed again here')
    expect(await wholeTables({ db }, NOT_THE_SAME)).toEqual(rows)
    expect(await wholeQueue({ db })).toEqual(jobs)
    expect(await rulesOf({ db })).toEqual(await rulesOf(shop))
    const sessions = await db.selectFrom('sessions').selectAll().execute()
    expect(sessions).toEqual([])
    // Some of them were perhaps withdrawn after the backup.
    const isLinked = (of: Pick<TestShop, 'db'>) =>
      of.db.selectFrom('connections').select('id').where('link_hash', 'is not', null).execute()
    expect(await isLinked(shop)).toHaveLength(1)
    expect(await isLinked({ db })).toEqual([])

    // A thief may have begun the wait, and its owner stopped it after the backup; the second step itself stays.
    const guard = { second_step_at: expect.any(Date), second_step_ends_at: null, way_back_hash: null }
    const [kept] = await db.selectFrom('customers').selectAll().where('id', '=', guarded.id).execute()
    expect(kept).toMatchObject(guard)

    const again = await open()
    expect((await again.call('GET', '/api/v1/user/profile', { token: ada.token })).status).toBe(401)
    expect(await shownTo(again, await logIn(again, ada))).toEqual(before.ada)
    expect(await shownTo(again, await logIn(again, ben))).toEqual(before.ben)

    await answerChallenge(again, openPaymentId)
    await reached(again, openPaymentId, 'Success')
    const known = await invoiceNumbers(shop)
    await aPurchase(again, {}, {}, await aCustomer(again))
    await expect.poll(() => invoiceNumbers(again)).toHaveLength(known.length + 2)
    expect(await invoiceNumbers(again)).toEqual(Array.from({ length: known.length + 2 }, (_, n) => n + 1))
    // The shop may have been stopped before its own mail had left.
    const queued = jobs.filter(
      (job) => job.includes('"task": "mail-receipt"') && job.includes(paid.order.orderId),
    )
    await expect.poll(receipts).toHaveLength(receiptsBefore + queued.length)
    await expect.poll(() => wholeQueue(again).then((all) => all.join())).not.toMatch(/"task": "mail-receipt"/)
    await expect(sql`update invoices set number = 7`.execute(db)).rejects.toThrow(/never changed/)
  })

  test('gives no number of an invoice again that was given after the backup', async () => {
    const shop = await aShop()
    const first = await aPurchase(shop)
    await expect.poll(() => invoiceNumbers(shop)).toEqual([1])
    const file = await backUp(shop)
    for (let n = 0; n < 2; n++) await aPurchase(shop)
    await expect.poll(() => invoiceNumbers(shop)).toEqual([1, 2, 3])
    await shop.stop()

    const { open } = await restored(shop, file, '--invoices-from', '4')
    const again = await open()
    await aPurchase(again, {}, {}, await aCustomer(again))
    await expect.poll(() => invoiceNumbers(again)).toEqual([1, 4])
    await aPurchase(again, {}, {}, { ...first.customer, token: await logIn(again, first.customer) })
    await expect.poll(() => invoiceNumbers(again)).toEqual([1, 4, 5])
  })

  test('tells agents that are ahead of it to begin anew, however much has changed since', async () => {
    const shop = await aShop()
    const { agent } = await liveIn(shop)
    const file = await backUp(shop)
    const late = await aPurchase(shop)
    const ahead = (await agent.catchUp()).revision

    const { open } = await restored(shop, file)
    const again = await open()
    const there = agentWith(again, agent.node, agent)
    // More than the agent had heard of, numbered by someone's question before it asks.
    for (let n = 0; n < 3; n++) await aPurchase(again)
    await there.catchUp(0)
    expect((await there.ask(ahead)).body).toMatchObject({ isForgotten: true })
    const all = await there.catchUp(0)
    const kept = await again.db
      .selectFrom('peers')
      .select('id')
      .where('node_id', '=', agent.node.id)
      .where('removed_at', 'is', null)
      .execute()
    expect(all.peers.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort())
    const lost = await shop.db
      .selectFrom('connections')
      .select('id')
      .where('payment_id', '=', late.paymentId)
      .execute()
    expect(lost).toHaveLength(3)

    expect((await there.ask(all.revision)).body).toMatchObject({ isForgotten: false, peers: [], gone: [] })
    const more = await aPurchase(again)
    await expect
      .poll(async () => (await there.catchUp(all.revision)).peers)
      .toHaveLength(more.order.connections)
  })

  test('was of one moment, also when it was taken while customers bought', async () => {
    const shop = await aShop()
    let isSelling = true
    const customers = await Promise.all([1, 2, 3].map(() => aCustomer(shop)))
    const selling = customers.map(async (customer) => {
      let count = 0
      while (isSelling) {
        await startPayment(shop, customer, await anOrder(shop, customer))
        count++
      }
      return count
    })
    const files = [await backUp(shop), await backUp(shop)]
    isSelling = false
    expect((await Promise.all(selling)).every((count) => count > 0)).toBe(true)

    for (const file of files) {
      const { db } = await restored(shop, file)
      const { rows: wrong } = await sql`
        select payments.id from payments join orders on orders.id = order_id
        where (payments.delivered_at is not null) <> (orders.status = 'Completed')
          or (delivered_at is not null and orders.connections <>
            (select count(*) from connections join peers on connection_id = connections.id where payment_id = payments.id))
          or is_invoiced <> exists (select from invoices where invoices.order_id = orders.id)`.execute(db)
      expect(wrong).toEqual([])
      const numbers = await invoiceNumbers({ db })
      expect(numbers).toEqual(numbers.map((_, n) => n + 1))
      const { rows: counters } = await sql<{ last: number }>`select last from invoice_counters`.execute(db)
      expect(counters[0]?.last ?? 0).toBe(numbers.length)
    }
  })
})
