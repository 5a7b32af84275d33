import { open } from 'node:fs/promises'
import { counted } from '@hedgerow/domain/order-description'
import { type Command, InvalidArgumentError } from 'commander'
import { recordKey } from '#care/doctor/record-checks.ts'
import { cipherOf } from '#care/keys/shops-keys.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { acceptFaults, isSealedAs, readEntries, verifyRecord } from '#people/operators/operator-record.ts'
import { createRecordReader, type RecordEntry, type RecordFault } from '#people/operators/record-chain.ts'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { Db } from '#platform/database/client.ts'
import { readSharedKeys } from '#platform/settings.ts'

const lineOf = ({ seq, at, said, hash, seal }: RecordEntry): string =>
  JSON.stringify({ seq, at, said, hash: hash.toString('hex'), seal: seal?.toString('hex') ?? null })

const exportAll = (): Promise<void> =>
  withDatabase(async (db) => {
    for await (const entry of readEntries(db)) say(lineOf(entry))
  })

const isText = (value: unknown): value is string => typeof value === 'string'

const readLine = (line: string): RecordEntry => {
  try {
    const { seq, at, said, hash, seal } = JSON.parse(line) as Record<string, unknown>
    if (
      Number.isSafeInteger(seq) &&
      isText(at) &&
      isText(said) &&
      isText(hash) &&
      (seal === null || isText(seal))
    )
      return {
        ...{ seq: seq as number, at, said },
        hash: Buffer.from(hash, 'hex'),
        seal: seal === null ? null : Buffer.from(seal, 'hex'),
      }
  } catch {
    // Said below.
  }
  throw new Refusal(
    'The file is none that ops audit export wrote: expected an entry of the record in each line.',
  )
}

async function* entriesOfFile(path: string): AsyncGenerator<RecordEntry> {
  const file = await open(placeOf(path), 'r').catch(() => {
    throw new Refusal(`${path} cannot be opened.`)
  })
  for await (const line of file.readLines()) yield readLine(line)
}

/** Whether a file holds by itself, and says what the database says of the entries that both have. */
const faultsOfFile = async (
  { db, keyedHash }: { db: Db; keyedHash: KeyedHash | undefined },
  path: string,
): Promise<RecordFault[]> => {
  const read = createRecordReader(keyedHash, { isStart: false })
  const faults: RecordFault[] = []
  const there = readEntries(db)
  let here = (await there.next()).value
  let last = 0
  for await (const entry of entriesOfFile(path)) {
    last = entry.seq
    faults.push(...read(entry).map(({ seq, says }) => ({ seq, says: `in the file, ${says}` })))
    while (here && here.seq < entry.seq) here = (await there.next()).value
    if (here?.seq === entry.seq && (here.said !== entry.said || !here.hash.equals(entry.hash)))
      faults.push({ seq: entry.seq, says: `the file says ${entry.said}, the database ${here.said}` })
  }
  if (!here || here.seq < last)
    faults.push({
      seq: last,
      says: 'the file has it, and the database has not: the end was deleted, or an older backup restored',
    })
  return faults
}

const readSeal = (text: string): string => {
  if (!/^\d{1,15}:[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError('Expected a seal as the log names it: a number, a colon, and 64 digits.')
  return text
}

type Options = { file?: string; seal?: string; json?: true }

const withKey = (work: (deps: { db: Db; keyedHash: KeyedHash }) => Promise<void>, without: string) =>
  withDatabase(async (db) => {
    const keyedHash = await recordKey({ db, keyCipher: cipherOf(readSharedKeys(toolRun().env)) })
    if (!keyedHash) throw new Refusal(`KEY_ENCRYPTION_KEY is not the key that the shop runs with. ${without}`)
    await work({ db, keyedHash })
  })

const sayFaults = (faults: readonly RecordFault[]): void => {
  for (const { seq, says } of faults) say(seq > 0 ? `Entry ${seq}: ${says}.` : `${says}.`)
}

const accept = ({ yes }: { yes?: true }): Promise<void> =>
  withKey(async (deps) => {
    const { faults } = await verifyRecord(deps)
    if (faults.length === 0) throw new Refusal('The record has no fault that is not accepted.')
    sayFaults(faults)
    await ask(`Accept ${counted(faults.length, 'fault')}, because you know who changed this and why?`, yes)
    await acceptFaults(deps, faults)
    say('Accepted. The next fault is an alert again.')
  }, 'Nothing was accepted.')

const run = ({ file, seal, json }: Options): Promise<void> =>
  withKey(async ({ db, keyedHash }) => {
    const report = await verifyRecord({ db, keyedHash })
    const faults = [...report.faults]
    if (file !== undefined) faults.push(...(await faultsOfFile({ db, keyedHash }, file)))
    if (seal !== undefined && !(await isSealedAs(db, seal)))
      faults.push({
        seq: Number.parseInt(seal, 10),
        says: 'it is not the entry of this seal: the record was rewritten, or an older backup restored',
      })
    toolRun().exitCode = faults.length > 0 ? 1 : 0
    if (json) return sayJson({ ...report, isWhole: faults.length === 0, faults })
    sayFaults(faults)
    if (report.accepted.length > 0) say(`${counted(report.accepted.length, 'fault')} more accepted.`)
    if (faults.length > 0) say(`${counted(faults.length, 'fault')} in ${report.entries} entries.`)
    else
      say(
        `${report.entries} entries, all as they were written. The newest seal is ${report.seal ?? 'still to be made'}.`,
      )
  }, 'Nothing was verified.')

/** What verifies the record, and takes it elsewhere. */
export const addRecordChain = (audit: Command): void => {
  reads(audit.command('export'))
    .summary('all entries of the record, one JSON object a line')
    .description(
      'Write all entries of the record, one JSON object a line, to standard output. Keep the file on another machine: audit verify --file compares it with the database.',
    )
    .action(exportAll)
  reads(audit.command('verify'))
    .summary('whether the record is what was written')
    .description(
      'Read the whole record, and say which entries were changed, deleted, put in or moved. Needs KEY_ENCRYPTION_KEY. Exit code 1: something was.',
    )
    .option('--file <file>', 'compare with an earlier audit export')
    .option('--seal <seal>', 'compare with a seal from the log', readSeal)
    .addOption(JSON_OPTION)
    .action(run)
  changes(audit.command('accept'), 'access')
    .summary('accept what verify finds, once you know who changed it')
    .description(
      'Say what audit verify finds, and accept it: the alert ends, and the record is sealed on. The faults stay listed as accepted. Needs KEY_ENCRYPTION_KEY; owners are mailed.',
    )
    .addOption(YES_OPTION)
    .action(accept)
}
