import { sql } from 'kysely'
import { recordIntent } from '#people/operators/operator-actions.ts'
import {
  countOlder,
  findMarks,
  listAccepted,
  listEntries,
  listUnchained,
  replaceSeal,
  saveAccepted,
  saveSeal,
} from '#people/operators/operator-record.queries.ts'
import {
  createRecordReader,
  macOf,
  type RecordEntry,
  type RecordFault,
  sealOf,
} from '#people/operators/record-chain.ts'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

export { deleteOldEntries } from '#people/operators/operator-record.queries.ts'

const PAGE = 2_000
/** One fault may show in many entries. */
const MOST_FAULTS = 100

/** Entries from one on, a page in memory. */
export async function* readEntries(db: Db, from = 0): AsyncGenerator<RecordEntry> {
  let after = from - 1
  for (;;) {
    const page = await listEntries(db, after, PAGE)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.seq
  }
}

export type RecordReport = {
  /** How many were read, and which is the newest. */
  entries: number
  newest: number
  /** The newest that is sealed, to be noted elsewhere: 'N:hex'. */
  seal: string | undefined
  faults: RecordFault[]
  /** Those that an operator has accepted. */
  accepted: RecordFault[]
}

/** Acts that are in no chain: who put them in went round the shop. */
const faultsOfActs = async (db: Db, from: number): Promise<RecordFault[]> => {
  const unchained = await listUnchained(db, from, MOST_FAULTS)
  const { there, were = 0 } = await countOlder(db)
  return [
    ...unchained.map((id) => ({ seq: 0, says: `act ${id} was begun or ended without an entry` })),
    ...(there > were
      ? [{ seq: 0, says: `${there} acts are older than the record, and there were ${were}` }]
      : []),
  ]
}

/** Which of the faults somebody with the shop's key has accepted. */
const readAccepted = async (db: Db, keyedHash: KeyedHash | undefined) => {
  const accepted = new Set(
    keyedHash
      ? (await listAccepted(db))
          .filter((one) => macOf(keyedHash, one).equals(one.mac))
          .map(({ seq, says }) => `${seq}:${says}`)
      : [],
  )
  return ({ seq, says }: RecordFault): boolean => accepted.has(`${seq}:${says}`)
}

const nameOf = ({ seq, seal }: RecordEntry): string => `${seq}:${seal?.toString('hex')}`

/**
 * Whether the record is what it was. `last` bounds the work: from a sealed entry at least so many before the newest.
 * Without the shop's key seals are not looked at.
 */
export const verifyRecord = async (
  { db, keyedHash }: { db: Db; keyedHash: KeyedHash | undefined },
  { last }: { last?: number } = {},
): Promise<RecordReport> => {
  const from = last === undefined ? 0 : (await findMarks(db, last)).sealed
  const read = createRecordReader(keyedHash, { isStart: from === 0 })
  const report: RecordReport = { entries: 0, newest: 0, seal: undefined, faults: [], accepted: [] }
  const isAccepted = await readAccepted(db, keyedHash)
  const note = (faults: readonly RecordFault[]) => {
    for (const fault of faults) {
      const list = isAccepted(fault) ? report.accepted : report.faults
      if (list.length < MOST_FAULTS) list.push(fault)
    }
  }
  let first: number | undefined
  for await (const entry of readEntries(db, from)) {
    first ??= entry.seq
    report.entries++
    report.newest = entry.seq
    if (entry.seal) report.seal = nameOf(entry)
    note(read(entry))
  }
  if (first === undefined) note([{ seq: 0, says: 'there are no entries' }])
  note(await faultsOfActs(db, first ?? 0))
  return report
}

/** The newest seal, as a report and the log name it. */
export const newestSeal = async (db: Db): Promise<string | undefined> => {
  const [entry] = await listEntries(db, (await findMarks(db)).sealed - 1, 1)
  return entry?.seal ? nameOf(entry) : undefined
}

/** Whether an entry is as it was when its seal was noted elsewhere. `noted`: 'N:hex', as a report and the log name it. */
export const isSealedAs = async (db: Db, noted: string): Promise<boolean> => {
  const [entry] = await listEntries(db, Number.parseInt(noted, 10) - 1, 1)
  return entry !== undefined && nameOf(entry) === noted
}

type FaultDeps = With<'db' | 'keyedHash' | 'log'>

/** The act as which the record itself has it that it does not hold: an alert, and a line for owners, is made of that. */
const CHECK = 'record check'

/**
 * Whether a check failed within the last day, after what was accepted last, and since when it is known. Times to come are no
 * one's who accepted something: without the shop's key they would keep every later alert away.
 */
export const measureRecordFaults = async (db: Db): Promise<{ count: number; oldest_seconds: number }> => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(at)), 0)::float8 as oldest_seconds
    from operator_actions where command = ${CHECK} and at > now() - interval '1 day'
      and at > coalesce((
        select max(accepted_at) from accepted_record_faults where accepted_at <= clock_timestamp()), '-infinity')`.execute(
    db,
  )
  return rows[0] ?? { count: 0, oldest_seconds: 0 }
}

/** The line in the log is for each time; the act once a day, as long as it goes on. */
const reportFault = async ({ db, log }: FaultDeps, facts: object, found: string): Promise<void> => {
  log.error(facts, `the record of what operators did ${found}`)
  if ((await measureRecordFaults(db)).count > 0) return
  const end = await recordIntent(
    { db },
    { who: 'shop', command: CHECK, arguments: { found }, subject: undefined },
  )
  await end('failed')
}

const reportFaults = (deps: FaultDeps, faults: readonly RecordFault[]): Promise<void> =>
  reportFault(deps, { faults: faults.slice(0, MOST_FAULTS) }, 'was changed')

/** What a check of every hour and the doctor look at: read in a second or two. ops audit verify reads all. */
export const LAST_LOOKED_AT = 20_000

/** Looks at what was sealed before, too. */
export const checkRecord = async (deps: FaultDeps): Promise<void> => {
  const { faults } = await verifyRecord(deps, { last: LAST_LOOKED_AT })
  if (faults.length > 0) await reportFaults(deps, faults)
}

/** So many in a run: the next goes on. */
const SEALED_AT_ONCE = 5_000

/**
 * Seals the newest entry, if all since the seal before hold. The line in the log is what leaves the machine: whoever owns the
 * database could delete the end of the record, but not that.
 */
const sealNewest = async (deps: FaultDeps): Promise<void> => {
  const { db, keyedHash, log } = deps
  const { newest, sealed } = await findMarks(db)
  if (newest === sealed) return
  const read = createRecordReader(keyedHash, { isStart: sealed === 0 })
  const entries = await listEntries(db, sealed - 1, SEALED_AT_ONCE)
  const isAccepted = await readAccepted(db, keyedHash)
  const faults = entries.flatMap(read).filter((fault) => !isAccepted(fault))
  const last = entries.at(-1)
  if (faults.length > 0) return reportFaults(deps, faults)
  if (!last) return
  const seal = sealOf(keyedHash, last)
  await saveSeal(db, last.seq, seal)
  log.info({ seal: nameOf({ ...last, seal }) }, 'the record of what operators did was sealed')
}

/** What an operator has looked into is no fault any more, and the record is sealed on. */
export const acceptFaults = async (
  { db, keyedHash }: { db: Db; keyedHash: KeyedHash },
  faults: readonly RecordFault[],
): Promise<void> => {
  await saveAccepted(
    db,
    faults.map((fault) => ({ ...fault, mac: macOf(keyedHash, fault) })),
  )
}

/** The newest seal that this process has seen, of each shop in it. */
const seen = new WeakMap<KeyedHash, string>()

/**
 * Seals what is new. A record that lacks an entry which this process saw sealed is sealed no more until the process ends: one
 * who owns the database may have begun it anew.
 */
export const sealRecord = async (deps: FaultDeps): Promise<void> => {
  const before = seen.get(deps.keyedHash)
  if (before !== undefined && !(await isSealedAs(deps.db, before)))
    return reportFault(deps, { seal: before }, 'lacks an entry that was sealed')
  await sealNewest(deps)
  const newest = await newestSeal(deps.db)
  if (newest !== undefined) seen.set(deps.keyedHash, newest)
}

/**
 * Seals all that was sealed under another key, where the one before is lost. Where the chain does not hold the old seals
 * stay, as faults.
 */
export const resealRecord = async (db: Db, keyedHash: KeyedHash): Promise<void> => {
  const { faults } = await verifyRecord({ db, keyedHash: undefined })
  if (faults.length > 0) return
  for await (const entry of readEntries(db))
    if (entry.seal) await replaceSeal(db, entry.seq, sealOf(keyedHash, entry))
}
