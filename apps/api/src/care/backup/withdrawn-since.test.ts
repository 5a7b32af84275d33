import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hedgerow/testing/free-port'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CREDENTIALS, type Credential } from '#people/credentials/credentials.ts'
import { NOT_IN_BACKUPS, type RestoreEvent } from '#people/credentials/end-after-restore.ts'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { answers, aPasskey } from '#testing/authenticator.ts'
import { consoleCallOf, consoleOfFile } from '#testing/console.ts'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { askForEmail, changeEmail, undoEmail } from '#testing/email-changes.ts'
import { aGuard } from '#testing/guards.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aNode, anEnrolment, announceNode } from '#testing/nodes.ts'
import {
  anInvitation,
  atConsole,
  joinByPasskey,
  joinByPassword,
  logIn,
  openLink,
} from '#testing/operators.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { emptyDatabase } from '#testing/test-database.ts'
import { startFront, type TestShop } from '#testing/test-shop.ts'

const place = await consoleOfFile()
const { shop } = place

/** An account that waits for its address to be confirmed keeps its password, which alone opens nothing. */
const UNCONFIRMED = 1

/** One of everything that opens something, with what its holder has. */
const aShopOfHolders = async () => {
  const owner = await joinByPassword(place)
  const other = await joinByPasskey(place)
  const { body: token } = await place.ask(owner, 'POST', '/api/v1/account/tokens', {
    body: { name: 'reports', permissions: ['payments.see'], days: 365 },
  })
  const invitation = await anInvitation(place)
  await logIn(place, owner.name)

  const buyer = await aCustomer(shop)
  const { paymentId } = await aPurchase(shop, {}, {}, buyer)
  const [connection] = await connectionsOf(shop, paymentId)
  const make = (what: string) =>
    shop.call('POST', `/api/v1/connections/${connection?.id}/${what}`, { token: buyer.token })
  const { body: link } = await make('link')
  expect((await make('file-address')).status).toBe(200)
  const traveller = await aCustomer(shop)
  const passkey = await aPasskey(shop, traveller)
  const moved = await aCustomer(shop)
  const { undo } = await changeEmail(shop, moved)
  await askForEmail(shop, buyer.token, 'later@example.org')
  const guarded = await aCustomer(shop)
  await aGuard(shop, guarded.id)
  const signup = { name: 'Ida', email: 'ida@example.org', signupPassword: PASSWORD, acceptTerms: true }
  expect((await shop.call('POST', '/api/v1/user/create', { body: signup })).status).toBeLessThan(300)
  await addJob(shop.db, 'mail-reset', { customerId: guarded.id }, { inSeconds: 86_400 })
  await aNode(shop)
  const node = await announceNode(shop)

  const rows = { customer_id: guarded.id, operator_id: owner.id }
  await shop.db.insertInto('second_step_resets').values(rows).execute()
  const id = randomUUID()
  await sql`insert into second_persons (id, operator_id, call, command, permission, params, body, facts, expires_at)
    values (${id}, ${owner.id}, 'inviteOperator', 'operator invite', 'operators.change', '{}', '{}', '{}',
      now() + interval '1 day')`.execute(shop.db)
  await shop.db
    .insertInto('withdrawals')
    .values({
      id,
      partner_id: buyer.id,
      currency: 'EUR',
      amount_minor: 100,
      method: 'iban',
      ends_with: '3000',
      details_encrypted: randomBytes(60),
    })
    .execute()
  await shop.db
    .insertInto('conversations')
    .values({
      id,
      kind: 'support',
      customer_id: null,
      email: 'eve@example.org',
      link_hash: hashToken(newToken()),
      name: 'Eve',
    })
    .execute()
  return { owner, other, token: token.token, invitation, buyer, link, passkey, undo, node }
}

let held: Awaited<ReturnType<typeof aShopOfHolders>>
let [folder, file] = ['', '']

const env = () => ({ ...opsSettings(shop), KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '' })

beforeAll(async () => {
  held = await aShopOfHolders()
  folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-'))
  file = join(folder, 'shop.backup')
  expect((await runOps(env(), 'backup', file)).err).toBe('')
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A database of its own with the backup in it. */
const restore = async (...args: string[]) => {
  const database = await emptyDatabase()
  const { db } = openDatabase(database.url, () => undefined, 4)
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
  })
  const settings = { ...env(), DATABASE_URL: database.url }
  const { err, out } = await runOps(settings, 'restore', file, '--yes', ...args)
  expect(err).toBe('')
  return { db, out, settings, url: database.url }
}

/** The same, brought back with all that a copy of the whole server has. */
const bringBack = async (...args: string[]) => {
  const copy = await restore('--keep-ways-in')
  for (const table of NOT_IN_BACKUPS) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(shop.db)
    for (const row of rows)
      await copy.db
        .insertInto(table as 'sessions')
        .values(row as never)
        .execute()
  }
  const { err, out } = await runOps(
    copy.settings,
    'restored',
    '--to',
    '2026-11-22T08:35:27Z',
    '--yes',
    ...args,
  )
  expect(err).toBe('')
  return { ...copy, out }
}

/** By it the link that is yet to be mailed is made. */
const timeOfLink = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from graphile_worker.jobs where task_identifier = 'mail-reset'
    order by run_at desc limit 1`.execute(db)
  return rows[0]?.created_at.getTime()
}

/** How many of it there are that can open something. */
const countOf = async (db: Db, { table, columns, isRow, endingRows }: Credential): Promise<number> => {
  const which = isRow ? sql.raw(endingRows ?? 'true') : sql`${sql.ref(columns[0] ?? '')} is not null`
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} where ${which}`.execute(db)
  return rows[0]?.count ?? 0
}

const lockedPasswords = async (db: Db): Promise<number> => {
  const rows = await db.selectFrom('customers').select('id').where('password_hash', 'like', '!%').execute()
  return rows.length
}

describe('what may have been withdrawn since', { timeout: 120_000 }, () => {
  test.each([
    ['restored', () => restore()],
    ['point in time', () => bringBack()],
    ['unchanged since', () => restore('--keep-ways-in')],
    ['unchanged since', () => bringBack('--keep-ways-in')],
  ] as [RestoreEvent, typeof restore][])(
    'is %s as the table of all that opens something says',
    async (event, goBack) => {
      const { db } = await goBack()
      expect((await timeOfLink(db)) === (await timeOfLink(shop.db))).toBe(event === 'unchanged since')
      for (const credential of CREDENTIALS) {
        const before = await countOf(shop.db, credential)
        expect(before, `${credential.name}: one to look at`).toBeGreaterThan(0)
        const fate = credential.events[event]
        expect(await countOf(db, credential), credential.name).toBe(fate === 'ends' ? 0 : before)
        if (credential.name === 'password')
          expect(await lockedPasswords(db)).toBe(fate === 'waits' ? before - UNCONFIRMED : 0)
      }
    },
  )

  /** A shop on it, with its console. */
  const open = async ({ url, db }: { url: string; db: Db }) => {
    const port = await freePort()
    const { sandbox, gateCalls, holdGateCalls } = shop
    const newEnv = { ...shop.env, CONSOLE_PORT: String(port) }
    const ground = { sandbox, gateCalls, holdGateCalls, databaseUrl: url, env: newEnv }
    const front = await startFront(ground)
    onTestFinished(front.stop)
    const again: TestShop = { ...ground, ...front, db }
    return { shop: again, ask: consoleCallOf(`http://127.0.0.1:${port}`) }
  }

  test('opens nothing in the shop that is started on it, and its owners are let in again', async () => {
    const copy = await restore()
    const { owner, other, token, invitation, buyer, link, passkey, undo, node } = held
    expect(copy.out).toContain(`${owner.name} (owner)`)
    expect(copy.out).toContain(node.name)
    const again = await open(copy)
    const { ask } = again

    expectProblem(await ask(undefined, 'GET', '/api/v1/payments', { token }), 401)
    expectProblem(await ask(owner, 'GET', '/api/v1/today'), 401)
    expect((await openLink(again, invitation.token)).status).toBeGreaterThanOrEqual(400)
    expectProblem(await logIn(again, owner.name), 401)
    const { body: asked } = await ask(undefined, 'POST', '/api/v1/log-in/passkey/options')
    const signed = answers(again.shop, other.authenticator, asked, atConsole(again.shop))
    expectProblem(await ask(undefined, 'POST', '/api/v1/log-in/passkey', { body: signed }), 401)
    const { json: relinked } = await runOps(copy.settings, 'operator', 'link', owner.name, '--yes', '--json')
    expect((await openLink(again, relinked.link.split('#')[1])).body).toMatchObject({ role: 'owner' })

    const call = again.shop.call
    expectProblem(await call('GET', '/api/v1/user/profile', { token: buyer.token }), 401)
    expect((await call('GET', new URL(link.url).pathname)).text).not.toContain('PrivateKey')
    const body = answers(again.shop, passkey, (await call('POST', '/api/v1/user/login/passkey/options')).body)
    expect((await call('POST', '/api/v1/user/login/passkey', { body })).body.code).toBe('unknown-passkey')
    expectProblem(await call('POST', '/api/v1/agent/enrolments', { body: anEnrolment(node.token) }), 401)

    const enter = (password: string) =>
      call('POST', '/api/v1/user/login', { body: { username: buyer.email, password } })
    expect(expectProblem(await enter(PASSWORD), 401).body.detail).toMatch(/choose a new password/)
    expect((await enter('not the password 42')).body.detail).not.toMatch(/choose a new password/)
    const mailed = tokenIn(await mailbox(shop).latest(buyer.email, 'Choose a new password'), '/reset/')
    expect((await enter(PASSWORD)).status).toBe(401)
    await queueIsEmpty(again.shop)
    expect(await mailbox(shop).list(buyer.email, 'Choose a new password')).toHaveLength(1)
    const chosen = { token: mailed, password: 'another wren in the hedge' }
    expect((await call('POST', '/api/v1/user/password/reset', { body: chosen })).status).toBe(200)
    expect((await enter(chosen.password)).status).toBe(200)
    expect((await undoEmail(again.shop, undo, 'a robin on the spade 42')).status).toBe(200)
  })

  test('works where the operator says that nothing was', async () => {
    const copy = await restore('--keep-ways-in')
    const again = await open(copy)
    const { body } = await again.shop.call('POST', '/api/v1/user/login', {
      body: { username: held.buyer.email, password: PASSWORD },
    })
    expect(body.access_token).toBeTruthy()
    expect((await again.ask(undefined, 'GET', '/api/v1/payments', { token: held.token })).status).toBe(200)
    expect((await logIn(again, held.owner.name)).status).toBe(200)
    expectProblem(await again.ask(held.owner, 'GET', '/api/v1/today'), 401)
  })
})
