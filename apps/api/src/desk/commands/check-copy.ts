import { type Command, InvalidArgumentError } from 'commander'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import type { Line } from '#accounting/month-end/line.ts'
import type { ListedWaiting } from '#accounting/month-end/list-waiting.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { type CopyFacts, getCopyFacts } from '#care/backup/copy-facts.ts'
import { cipherOf, tryKeys } from '#care/keys/shops-keys.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import type { Db } from '#platform/database/client.ts'
import { readSharedKeys } from '#platform/settings.ts'

type Options = { newestWithin?: number; json?: true }

const MINUTE_MS = 60_000
const HAS_FAULTS = 1

const readMinutes = (text: string): number => {
  const minutes = Number(text)
  if (!/^\d{1,6}$/.test(text) || minutes === 0)
    throw new InvalidArgumentError('It must be a number of minutes, like 15.')
  return minutes
}

/** This month and the one before. */
const lastMonths = (now: Date): Month[] => {
  const names = [new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)), now]
  return names.flatMap((at) => parseMonth(at.toISOString().slice(0, 7)) ?? [])
}

const keyFaults = async (db: Db): Promise<string[]> => {
  const keyCipher = cipherOf(readSharedKeys(toolRun().env))
  return (await tryKeys({ db, keyCipher })).kind === 'does-not-open'
    ? ['KEY_ENCRYPTION_KEY does not open what the shop has sealed']
    : []
}

/** Which lines differ as long as something waits: what was paid in the moment of the copy has no invoice in it. */
const DIFFER_WHILE: Readonly<Record<string, readonly string[]>> = {
  'no-invoice': ['invoices-of-payments', 'money-in'],
  'no-credit-note': ['credit-notes-of-refunds', 'invoices-less-credit-notes'],
  'no-rate': ['vat-return'],
}

/** Whether no more differs in the line than waits. */
const isWaitedFor = ({ id, differences, more }: Line, waiting: readonly ListedWaiting[]): boolean =>
  waiting.some(({ kind, count }) => DIFFER_WHILE[kind]?.includes(id) && differences.length + more <= count)

/** What waits is the day's work, in a copy as in the shop; what differs should differ nowhere. */
const bookFaults = async (db: Db, now: Date): Promise<string[]> => {
  const faults: string[] = []
  for (const month of lastMonths(now)) {
    const { lines, waiting } = await checkMonth({ db }, month, now)
    for (const line of lines) {
      const { id, agrees, differences } = line
      if (!agrees && !isWaitedFor(line, waiting))
        faults.push(`${month.name}: ${id} differs${differences[0] ? `, as ${differences[0].about}` : ''}`)
    }
  }
  for (const { what, about } of await checkBooks({ db }))
    faults.push(`partners: ${what}${about ? `, ${about}` : ''}`)
  return faults
}

const ageFaults = ({ newest }: CopyFacts, now: Date, within: number | undefined): string[] => {
  if (within === undefined) return []
  const age = newest ? Math.round((now.getTime() - newest.getTime()) / MINUTE_MS) : undefined
  return age === undefined || age > within
    ? [`the newest trace of the shop in it is ${age === undefined ? 'none' : `${age} minutes old`}`]
    : []
}

const run = ({ newestWithin, json }: Options) =>
  withDatabase(async (db) => {
    const now = new Date()
    const facts = await getCopyFacts(db)
    const faults = [
      ...(await keyFaults(db)),
      ...(await bookFaults(db, now)),
      ...ageFaults(facts, now, newestWithin),
    ]
    if (faults.length > 0) toolRun().exitCode = HAS_FAULTS
    const { newest, newestPayment, ...counts } = facts
    if (json) return sayJson({ ...counts, newest, newestPayment, faults })
    const { customers, orders, payments, invoices, connections } = counts
    say(
      `It holds ${customers} customers, ${orders} orders, ${payments} payments, ${invoices} invoices and ${connections} connections.`,
    )
    say(
      `The newest trace of the shop: ${newest?.toISOString() ?? 'none'}; payment: ${newestPayment?.toISOString() ?? 'none'}.`,
    )
    for (const fault of faults) say(`Fault: ${fault}.`)
    if (faults.length === 0) say('The key opens it, its books agree, and no number is missing.')
  })

export const addCheckCopy = (program: Command): void => {
  reads(program.command('check-copy'))
    .summary('check a copy of the shop, as from a restore test')
    .description(
      'Check a copy of the shop’s database: whether the key opens it, whether the books of this month and the last agree, ' +
        'number series and partners’ ledger included, and how new it is. Nothing is changed. Exit code 0: all is well; 1: it has faults.',
    )
    .option('--newest-within <minutes>', 'a fault if the shop’s newest trace in it is older', readMinutes)
    .addOption(JSON_OPTION)
    .action(run)
}
