import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { until } from '@hedgerow/testing/until'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { sealRecord } from '#people/operators/operator-record.ts'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { interruptOps, opsSettings, runOps } from '#testing/ops.ts'
import { aPartner } from '#testing/partners.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const as = (who: string, ...args: string[]) =>
  runOps(
    { ...opsSettings(shop), KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '', HEDGEROW_OPERATOR: who },
    ...args,
  )
const audit = (...args: string[]) => runOps(opsSettings(shop), 'audit', 'list', ...args)
const actionsOf = async (who: string, ...args: string[]) =>
  (await audit('--who', who, '--json', ...args)).json.rows

const readKey = () => Buffer.from(shop.env.KEY_ENCRYPTION_KEY ?? '', 'base64')

/** As one who owns the database does it. */
const unguarded = (change: RawBuilder<unknown>) =>
  shop.db.transaction().execute(async (trx) => {
    for (const state of ['disable', 'enable']) {
      for (const table of ['operator_actions', 'operator_record'])
        await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(trx)
      if (state === 'disable') await change.execute(trx)
    }
  })

const aName = () => `op-${randomUUID().slice(0, 8)}`

describe('ops audit', () => {
  test('tells who changed what, when, and what came of it, of a name with an @ too', async () => {
    const who = `${aName()}@example`
    await as(who, 'rate', 'set', '--currency', 'EUR', '--rate', '4.26')
    expect(await actionsOf(who)).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        who: `${who}@${hostname()}`,
        command: 'rate set',
        arguments: { currency: 'EUR', rate: '4.26' },
        details: 'Rate: 4.26',
        subject: 'EUR',
        outcome: 'done',
        endedAt: expect.stringMatching(/Z$/),
      },
    ])
    const { out } = await audit('--who', who)
    expect(out).toMatch(/^TIME +WHO +WHAT +TO WHAT +OUTCOME +DETAILS\n/)
    expect(out).toMatch(new RegExp(`${who}@\\S+ +rate set +EUR +done +Rate: 4.26\n$`))
  })

  test('names who used sudo, and else the account of the system', async () => {
    const settings = opsSettings(shop)
    await runOps({ ...settings, SUDO_USER: 'grace' }, 'rate', 'set', '--currency', 'EUR', '--rate', '4.25')
    expect(await actionsOf('grace')).toHaveLength(1)
    await runOps(settings, 'rate', 'set', '--currency', 'EUR', '--rate', '4.24')
    const { json } = await audit('--json', '--since', '2020-01-01')
    expect(json.rows[0]).toMatchObject({
      who: `${userInfo().username}@${hostname()}`,
      arguments: { rate: '4.24' },
    })
  })

  test('records what was refused, and a wrong usage not at all', async () => {
    const who = aName()
    await as(who, 'refund', 'f'.repeat(32), '--yes', '--json')
    await as(who, 'refund', 'f'.repeat(32), '10,50')
    expect(await actionsOf(who)).toMatchObject([
      { command: 'refund', outcome: 'refused', subject: 'f'.repeat(32) },
    ])
  })

  test('records that data of a person was opened, by the number of the account', async () => {
    const { customer } = await aPurchase(shop)
    const who = aName()
    await as(who, 'connection', 'list', '--customer', customer.email.toUpperCase())
    await as(who, 'connection', 'list', '--customer', 'nobody.here@example.org')
    await as(who, 'payment', 'list', '--status', 'Success')
    await as(who, 'payment', 'list', '--customer', customer.email.toUpperCase())
    await as(who, 'order', 'list', '--customer', customer.email, '--status', 'New')
    const actions = await actionsOf(who)
    expect(actions).toMatchObject([
      { command: 'order list', arguments: { customerId: customer.id, status: 'New' }, subject: customer.id },
      { command: 'payment list', arguments: { customerId: customer.id }, subject: customer.id },
      { command: 'connection list', arguments: { customerId: '(an email address)' }, outcome: 'refused' },
      { command: 'connection list', arguments: { customerId: customer.id }, subject: customer.id },
    ])
    const { rows } = await sql<{ row: string }>`select t::text as row from operator_actions as t`.execute(
      shop.db,
    )
    for (const { row } of rows) expect(row).not.toMatch(/example\.org/i)
  })

  test('keeps no part of an e-mail or a name that was looked for', async () => {
    const who = aName()
    await as(who, 'customer', 'find', '--words', 'jane.quill@')
    await as(who, 'customer', 'find', '--words', 'Jane Quill jane@example.org')
    await as(who, 'connection', 'list', '--customer=Jane Quill')
    const actions = await actionsOf(who)
    expect(actions).toHaveLength(3)
    expect(JSON.stringify(actions)).not.toMatch(/jane|quill/i)
  })

  test('keeps no name of a file, and no words to the bank', async () => {
    const who = aName()
    await as(who, 'backup', '/nowhere/ada-lovelace.backup')
    await as(who, 'withdrawal', 'paid', randomUUID(), '--reference', 'Ada Lovelace Nov', '--yes')
    const actions = await actionsOf(who)
    expect(actions).toMatchObject([
      { command: 'withdrawal paid', arguments: { although: false } },
      { command: 'backup', arguments: {}, subject: null },
    ])
    expect(JSON.stringify(actions)).not.toMatch(/lovelace/i)
  })

  test('keeps a short piece of what is very long', async () => {
    const who = aName()
    const given = { id: 'x'.repeat(100_000) }
    await recordIntent(shop, {
      who: `${who}@here`,
      command: 'payment settle',
      arguments: given,
      subject: given.id,
    })
    const [{ arguments: kept, subject }] = await actionsOf(who)
    expect([kept, subject]).toEqual([{ id: 'x'.repeat(200) }, 'x'.repeat(100)])
  })

  test('names a customer by the number of the account, whatever they were looked for by', async () => {
    const { id, email } = await aPartner(shop)
    const who = aName()
    await as(who, 'customer', 'open', email)
    expect(await actionsOf(who)).toMatchObject([{ command: 'customer open', subject: id }])
  })

  test('leaves a command that was interrupted as one that is under way', async () => {
    const { paymentId } = await aPurchase(shop)
    const who = aName()
    const settings = { ...opsSettings(shop), HEDGEROW_OPERATOR: who }
    // Asked of the database: another run of the tool would come when the payment is no longer locked.
    const isRecorded = () =>
      until(() =>
        shop.db
          .selectFrom('operator_actions')
          .select('id')
          .where('who', 'like', `${who}@%`)
          .executeTakeFirst(),
      )
    // As long as the payment is locked, the command waits.
    const lock = await shop.db.startTransaction().execute()
    await sql`select from payments where id = ${paymentId} for update`.execute(lock)
    const unlock = () => void lock.rollback().execute()
    const { code } = await interruptOps(settings, isRecorded, ['refund', paymentId, '--yes'], unlock)
    expect(code).toBe(130)
    expect(await actionsOf(who)).toMatchObject([{ command: 'refund', outcome: 'under way', endedAt: null }])
  })

  test('two at once are two records', async () => {
    const who = aName()
    await Promise.all(
      ['4.27', '4.28'].map((rate) => as(who, 'rate', 'set', '--currency', 'EUR', '--rate', rate)),
    )
    expect(await actionsOf(who)).toHaveLength(2)
  })
})

describe('what is recorded', () => {
  const aRecord = async (at: string) => {
    const id = randomUUID()
    await sql`insert into operator_actions (id, at, who, command, arguments)
      values (${id}, now() - ${at}::interval, 'ada@shop', 'rate set', '{}')`.execute(shop.db)
    return id
  }

  test.each([
    ["set who = 'eve@shop'"],
    ["set outcome = 'done', ended_at = now(), who = 'eve@shop'"],
    ["set command = 'rate list'"],
    ["set at = now() - interval '3 years'"],
  ])('is never rewritten: %s', async (change) => {
    const id = await aRecord('1 day')
    const rewrite = sql`update operator_actions ${sql.raw(change)} where id = ${id}`.execute(shop.db)
    await expect(rewrite).rejects.toThrow('recorded once')
  })

  test('ends once', async () => {
    const id = await aRecord('1 day')
    const end = (outcome: string) =>
      sql`update operator_actions set outcome = ${outcome}, ended_at = now() where id = ${id}`.execute(
        shop.db,
      )
    await end('refused')
    await expect(end('done')).rejects.toThrow('recorded once')
  })

  test('is kept for two years, and then tidied away', async () => {
    const young = await aRecord('1 year 364 days')
    // From before the chain; what is in it goes in its order (operator-record.test.ts).
    const old = randomUUID()
    await unguarded(sql`insert into operator_actions (id, at, who, command, arguments)
      values (${old}, now() - interval '2 years 1 day', 'ada@shop', 'rate set', '{}')`)
    await expect(sql`delete from operator_actions where id = ${young}`.execute(shop.db)).rejects.toThrow()
    await expect(sql`truncate operator_actions`.execute(shop.db)).rejects.toThrow()
    await hurry(shop, 'tidy-up')
    const isThere = async (id: string) =>
      (await sql`select from operator_actions where id = ${id}`.execute(shop.db)).rows.length > 0
    await until(async () => !(await isThere(old)))
    expect(await isThere(young)).toBe(true)
  })

  test('is told to the customer of the account, without who it was', async () => {
    const customer = await aCustomer(shop, { email: uniqueEmail('zaphod') })
    await as('trillian', 'order', 'list', '--customer', customer.email)
    const { body, text } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    expect(body.operatorActions).toMatchObject([{ command: 'order list', outcome: 'done' }])
    expect(text).not.toContain('trillian')
  })

  describe('verify', () => {
    const withKey = () => ({ ...opsSettings(shop), KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '' })
    const verify = (...args: string[]) => runOps(withKey(), 'audit', 'verify', ...args)

    test('finds the record as it was written, and needs the shop’s key', async () => {
      await as(aName(), 'rate', 'set', '--currency', 'EUR', '--rate', '4.20')
      const { code, json } = await verify('--json')
      expect([code, json.isWhole, json.faults]).toEqual([0, true, []])
      const other = { ...withKey(), KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
      expect((await runOps(other, 'audit', 'verify')).err).toMatch(/is not the key that the shop runs with/)
    })

    test('finds the end that was deleted by an export and by a seal, and what was changed by its number', async () => {
      const who = aName()
      await as(who, 'rate', 'set', '--currency', 'EUR', '--rate', '4.21')
      await sealRecord({
        db: shop.db,
        keyedHash: createKeyedHash(hashKeyOf(readKey())),
        log: { info: () => undefined } as never,
      })
      const { out } = await runOps(withKey(), 'audit', 'export')
      const file = join(await mkdtemp(join(tmpdir(), 'hedgerow-audit-')), 'record.jsonl')
      onTestFinished(() => rm(dirname(file), { recursive: true }))
      await writeFile(file, out)
      const { seal } = (await verify('--json')).json
      expect((await verify('--file', file, '--seal', seal)).code).toBe(0)

      const undo = await sql<{ seq: string; row: string }>`
        select seq, to_jsonb(r)::text as row from operator_record r order by seq desc limit 1`.execute(
        shop.db,
      )
      const [last] = undo.rows
      await unguarded(sql`delete from operator_record where seq = ${last?.seq}`)
      const cut = await verify('--file', file, '--seal', seal)
      expect(cut.code).toBe(1)
      expect(cut.out).toMatch(new RegExp(`Entry ${last?.seq}: the file has it, and the database has not`))
      expect(cut.out).toMatch(new RegExp(`Entry ${last?.seq}: it is not the entry of this seal`))
      await unguarded(
        sql`insert into operator_record select * from jsonb_populate_record(null::operator_record, ${last?.row}::jsonb)`,
      )
      await unguarded(sql`update operator_actions set arguments = '{}' where who like ${`${who}@%`}`)
      const changed = await verify('--file', file)
      expect(await runOps(withKey(), 'audit', 'accept')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/add --yes/),
      })
      expect((await runOps(withKey(), 'audit', 'accept', '--yes')).out).toMatch(/^Entry \d+: .*Accepted\./s)
      expect((await verify()).out).toMatch(/^\d+ faults? more accepted\.\n\d+ entries, all/)
      await unguarded(
        sql`update operator_actions set arguments = '{"rate":"4.21","currency":"EUR"}' where who like ${`${who}@%`}`,
      )
      expect(changed.out).toMatch(/Entry \d+: the file says .*4\.21.*, the database/)
    })
  })
})
