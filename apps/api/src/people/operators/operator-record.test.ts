import { fewOrAll } from '@hedgerow/testing/strength'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { listEntries, saveSeal } from '#people/operators/operator-record.queries.ts'
import {
  acceptFaults,
  checkRecord,
  deleteOldEntries,
  measureRecordFaults,
  type RecordReport,
  readEntries,
  resealRecord,
  sealRecord,
  verifyRecord,
} from '#people/operators/operator-record.ts'
import { sealOf } from '#people/operators/record-chain.ts'
import { createKeyedHash, hashKeyOf, type KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const log = { error: () => undefined, info: () => undefined } as never

const act = async (n: number, end: 'done' | 'refused' | null = 'done') => {
  const note = await recordIntent(shop, {
    who: `operator ${n}@console`,
    command: 'refund',
    arguments: { amount: `${n}.00` },
    subject: n % 2 === 0 ? `payment ${n}` : undefined,
  })
  if (end) await note(end, n % 4 === 1 ? undefined : `payment ${n}`)
}

/** The shop's own, as its job may seal at any time. */
const keyedHash: KeyedHash = (...given) =>
  createKeyedHash(hashKeyOf(Buffer.from(shop.env.KEY_ENCRYPTION_KEY ?? '', 'base64')))(...given)

/** As another process each time. */
const seal = (db: Db = shop.db) => sealRecord({ db, keyedHash: (...given) => keyedHash(...given), log })
const verify = (db: Db = shop.db, options = {}) => verifyRecord({ db, keyedHash }, options)

/** As one who owns the database does it, and as if it had not been. */
const tampered = async (change: (trx: Trx) => Promise<unknown>, options = {}): Promise<RecordReport> => {
  const undo = new Error('undo')
  let report: RecordReport | undefined
  await shop.db
    .transaction()
    .execute(async (trx) => {
      for (const table of ['operator_actions', 'operator_record'])
        await sql`alter table ${sql.table(table)} disable trigger user`.execute(trx)
      await change(trx)
      report = await verify(trx, options)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  if (!report) throw new Error('Nothing was verified')
  return report
}

/** Entries after one, computed anew by all that the database knows. */
const rechain = async (trx: Trx, after: number): Promise<void> => {
  const { rows } = await sql<{ seq: string; action_id: string | null; is_end: boolean }>`
    delete from operator_record where seq > ${after} returning seq, action_id, is_end`.execute(trx)
  for (const { action_id, is_end } of rows.toSorted((one, other) => Number(one.seq) - Number(other.seq)))
    await sql`select chain_operator_action(acts, ${is_end}) from operator_actions as acts where id = ${action_id}`.execute(
      trx,
    )
}

const ACTS = 12
let entries: { seq: number; said: unknown[] }[] = []

beforeAll(async () => {
  // One shop, sealed amid and at its end.
  for (let n = 0; n < ACTS / 2; n++) await act(n, n === 3 ? null : 'done')
  await seal()
  await Promise.all(
    Array.from({ length: ACTS / 2 }, (_, n) => act(ACTS / 2 + n, n === 3 ? 'refused' : 'done')),
  )
  await seal()
  entries = []
  for await (const { seq, said } of readEntries(shop.db))
    entries.push({ seq, said: JSON.parse(said ?? 'null') })
})

describe('the record of what operators did', () => {
  test('holds as it was written, by many at once too, without a gap', async () => {
    const report = await verify()
    expect(report).toMatchObject({ faults: [], entries: 1 + 2 * ACTS - 1, newest: 2 * ACTS })
    expect(report.seal).toMatch(/^24:[0-9a-f]{64}$/)
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 * ACTS }, (_, n) => n + 1))
  })

  const idOf = (at: number) => String(entries[at]?.said[2])
  /** Of all but the first, which begins it. */
  const anEntry = fc.integer({ min: 1, max: 2 * ACTS - 1 })
  const aColumn = fc.constantFrom(
    sql`who = 'somebody else'`,
    sql`command = 'node drain'`,
    sql`arguments = '{"amount":"9.99"}'`,
    sql`at = at - interval '1 microsecond'`,
    sql`subject = case when subject is null then 'another' end`,
    sql`outcome = case outcome when 'done' then 'refused' else 'done' end, ended_at = coalesce(ended_at, now())`,
  )
  const names = ({ faults }: RecordReport, at: number) =>
    faults.some(({ seq, says }) => seq === entries[at]?.seq || says.includes(idOf(at)))

  test('names an act that was changed', () =>
    fc.assert(
      fc.asyncProperty(anEntry, aColumn, async (at, column) => {
        const report = await tampered((trx) =>
          sql`update operator_actions set ${column} where id = ${idOf(at)}`.execute(trx),
        )
        expect(report.faults.some(({ says }) => says.includes(idOf(at)))).toBe(true)
      }),
      { numRuns: fewOrAll(8, 60) },
    ))

  test('names an act or an entry that was deleted', () =>
    fc.assert(
      fc.asyncProperty(
        anEntry.filter((at) => at < 2 * ACTS - 1),
        fc.constantFrom('act', 'entry', 'both'),
        async (at, what) => {
          const report = await tampered(async (trx) => {
            if (what !== 'entry') await sql`delete from operator_actions where id = ${idOf(at)}`.execute(trx)
            if (what !== 'act') await sql`delete from operator_record where seq = ${at + 1}`.execute(trx)
          })
          expect(
            report.faults.some(({ seq, says }) => says.includes(idOf(at)) || Math.abs(seq - at - 1) <= 1),
          ).toBe(true)
        },
      ),
      { numRuns: fewOrAll(8, 60) },
    ))

  test('names an act that was put in, also among those from before', () =>
    fc.assert(
      fc.asyncProperty(fc.boolean(), async (isOld) => {
        const report = await tampered((trx) =>
          sql`insert into operator_actions (id, at, who, command, arguments)
            values (gen_random_uuid(), now() - make_interval(days => ${isOld ? 30 : 0}), 'framed', 'refund', '{}')`.execute(
            trx,
          ),
        )
        expect(report.faults).toHaveLength(1)
      }),
      { numRuns: 2 },
    ))

  test('names two that were swapped', () =>
    fc.assert(
      fc.asyncProperty(anEntry, anEntry, async (one, other) => {
        fc.pre(one !== other && idOf(one) !== idOf(other))
        const report = await tampered((trx) =>
          sql`update operator_record set seq = -seq where seq in (${one + 1}, ${other + 1})`
            .execute(trx)
            .then(() =>
              sql`update operator_record set seq = case -seq when ${one + 1}::bigint then ${other + 1}::bigint else ${one + 1}::bigint end
                where seq < 0`.execute(trx),
            ),
        )
        expect(names(report, one) && names(report, other)).toBe(true)
      }),
      { numRuns: fewOrAll(6, 40) },
    ))

  test('names the seal after an act that was changed with every hash since', async () => {
    const report = await tampered(async (trx) => {
      await sql`update operator_actions set who = 'somebody else' where id = ${idOf(2)}`.execute(trx)
      const seals = await trx
        .selectFrom('operator_record')
        .select(['seq', 'seal'])
        .where('seal', 'is not', null)
        .execute()
      await rechain(trx, 1)
      for (const { seq, seal } of seals)
        await trx.updateTable('operator_record').set({ seal }).where('seq', '=', seq).execute()
    })
    expect(new Set(report.faults.map(({ says }) => says))).toEqual(
      new Set(['its seal is not the shop’s: it, or an entry since the seal before, was rewritten']),
    )
  })

  test('is read from a sealed entry on where the work is bounded', async () => {
    const report = await tampered(
      (trx) => sql`update operator_actions set who = 'x' where id = ${idOf(2 * ACTS - 2)}`.execute(trx),
      {
        last: 5,
      },
    )
    expect(report.entries).toBeLessThan(2 * ACTS)
    expect(report.faults.some(({ says }) => says.includes(idOf(2 * ACTS - 2)))).toBe(true)
  })

  test('is not sealed where it does not hold', async () => {
    const report = await tampered(async (trx) => {
      await sql`update operator_record set seal = null where seq > 12`.execute(trx)
      await sql`update operator_actions set who = 'x' where id = ${idOf(2 * ACTS - 2)}`.execute(trx)
      await seal(trx)
    })
    expect(Number.parseInt(report.seal ?? '', 10)).toBeLessThan(2 * ACTS)
  })

  test('is an alert, and an act of the record once a day, where the check finds what was sealed before changed', async () => {
    let found = 0
    await tampered(async (trx) => {
      const check = () => checkRecord({ db: trx, keyedHash, log })
      await check()
      expect((await measureRecordFaults(trx)).count).toBe(0)
      await sql`update operator_actions set who = 'another' where who like 'operator %'`.execute(trx)
      await check()
      await check()
      found = (await measureRecordFaults(trx)).count
    })
    expect(found).toBe(1)
  })

  test('is whole again, no alert, and sealed on, once the faults found are accepted under the shop’s key; the next fault is one', async () => {
    const lost = { seq: 2 * ACTS, says: 'anything' }
    await tampered(async (trx) => {
      await sql`update operator_record set seal = null where seq > 12`.execute(trx)
      await sql`update operator_actions set who = 'x' where id = ${idOf(2 * ACTS - 2)}`.execute(trx)
      await checkRecord({ db: trx, keyedHash, log })
      const { faults } = await verify(trx)
      expect(faults.length).toBeGreaterThan(0)
      await acceptFaults({ db: trx, keyedHash: createKeyedHash(Buffer.alloc(32, 7)) }, faults)
      expect((await verify(trx)).faults).toEqual(faults)
      await acceptFaults({ db: trx, keyedHash }, [...faults, lost])
      expect(await verify(trx)).toMatchObject({ faults: [], accepted: faults })
      await seal(trx)
      expect((await verify(trx)).seal).toMatch(new RegExp(`^${lost.seq}:`))
      expect((await measureRecordFaults(trx)).count).toBe(0)
      await sql`update operator_actions set who = 'y' where id = ${idOf(2)}`.execute(trx)
      expect((await verify(trx)).faults).toHaveLength(1)
    })
  })

  test('is accepted as it is then: the same act changed again is a fault, and an alert whatever time was put in', async () => {
    await tampered(async (trx) => {
      const change = (who: string) =>
        sql`update operator_actions set who = ${who} where id = ${idOf(4)}`.execute(trx)
      await change('x')
      await acceptFaults({ db: trx, keyedHash }, (await verify(trx)).faults)
      expect((await verify(trx)).faults).toEqual([])
      await sql`insert into accepted_record_faults (seq, says, accepted_at, mac) values (0, '', now() + interval '9 years', '')`.execute(
        trx,
      )
      await change('z')
      expect((await verify(trx)).faults.length).toBeGreaterThan(0)
      await checkRecord({ db: trx, keyedHash, log })
      expect((await measureRecordFaults(trx)).count).toBe(1)
    })
  })

  test('is not sealed where it was begun anew since this process sealed it', async () => {
    const report = await tampered(async (trx) => {
      const ofProcess: KeyedHash = (...given) => keyedHash(...given)
      const sealAgain = () => sealRecord({ db: trx, keyedHash: ofProcess, log })
      await sealAgain()
      await sql`delete from operator_record where action_id = ${idOf(2 * ACTS - 1)}`.execute(trx)
      await sql`delete from operator_actions where id = ${idOf(2 * ACTS - 1)}`.execute(trx)
      await rechain(trx, 1)
      await sealAgain()
    })
    expect(report.seal).toBeUndefined()
  })

  test('is sealed anew under another key where it holds, and is sealed on', async () => {
    const other = createKeyedHash(Buffer.alloc(32, 7))
    const change = (isChanged: boolean) => async (trx: Trx) => {
      if (isChanged) await sql`update operator_actions set who = 'x' where id = ${idOf(4)}`.execute(trx)
      await resealRecord(trx, other)
    }
    const underOther = async (trx: Trx) => verifyRecord({ db: trx, keyedHash: other })
    await tampered(async (trx) => {
      await change(false)(trx)
      expect(await underOther(trx)).toMatchObject({ faults: [], newest: 2 * ACTS })
      await sql`update operator_record set seal = null where seq = ${2 * ACTS}`.execute(trx)
      await sealRecord({ db: trx, keyedHash: other, log })
      expect((await underOther(trx)).seal).toMatch(/^24:/)
    })
    await tampered(async (trx) => {
      await change(true)(trx)
      expect((await underOther(trx)).faults.length).toBeGreaterThan(1)
    })
  })

  test('goes on from a sealed entry once what is older than two years is forgotten, and from no other', async () => {
    const forgotten = async (trx: Trx) => {
      await sql`update operator_actions set at = at - interval '3 years', ended_at = ended_at - interval '3 years'
        where id in (select action_id from operator_record where seq between 2 and 12)`.execute(trx)
      await rechain(trx, 0)
      for (const entry of await listEntries(trx, 8, 1))
        await saveSeal(trx, entry.seq, sealOf(keyedHash, entry))
      for (const table of ['operator_actions', 'operator_record'])
        await sql`alter table ${sql.table(table)} enable trigger user`.execute(trx)
      await deleteOldEntries(trx)
    }
    expect(await tampered(forgotten)).toMatchObject({
      faults: [],
      entries: 2 * ACTS - 9,
      newest: 2 * ACTS - 1,
    })
    const report = await tampered(async (trx) => {
      await forgotten(trx)
      await sql`delete from operator_record where seq = 9`.execute(trx)
    })
    expect(report.faults).toContainEqual({ seq: 10, says: 'entries before 10 are missing' })
  })
})
