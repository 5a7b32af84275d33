import { refundDueBy } from '@hedgerow/domain/cancellations'
import { DAY_MS, formatDate, formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { listDebtors } from '#desk/partners/partner-reports.ts'
import { type Compared, reconcile } from '#desk/reconciliation/reconcile.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readDays, readTime } from '#desk/tool/options.ts'
import { say, sayAside, sayJson, sayTable } from '#desk/tool/print.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { gatewaysWhenAsked } from '#money/gateway/adapters.ts'
import { measureUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { listOwedRefunds, type OwedRefund } from '#money/refunds/refunds.service.ts'
import { type BookFault, checkBooks } from '#partners/ledger/check-books.ts'
import type { Db } from '#platform/database/client.ts'
import { settingsWhenAsked } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

/**
 * The tool's own, and no call of the contract, which answers once: it compares the payments of a period, which takes hours
 * where they are many, shows how far it is, and says from where to go on.
 */
type Options = { since?: Date; days?: number; json?: true }

const DAYS = 7

/** Differences are no failure of the command, but a timer that runs it wants to hear of them. */
const DIFFERS = 1

const periodOf = ({ since, days }: Options, now: number): { from: Date; to: Date } => {
  const from = since ?? new Date(now - (days ?? DAYS) * DAY_MS)
  const end = since && days !== undefined ? since.getTime() + days * DAY_MS : now
  return { from, to: new Date(Math.min(end, now)) }
}

const present = ({ payment, differences = [] }: Compared) =>
  differences.map((difference) => ({
    paymentId: payment.id,
    startedAt: payment.created_at.toISOString(),
    ...difference,
  }))

const rowsOf = ({ payment, differences = [] }: Compared): string[][] =>
  differences.map(({ what, shop, gateway }) => [
    payment.id,
    formatDateTime(payment.created_at),
    what,
    shop,
    gateway,
  ])

type Books = {
  compared: number
  open: Compared[]
  silent: string[]
  /** The last payment that was compared was started then. */
  upTo: Date | undefined
  /** The gateway gave no answer from here on. */
  stoppedAt: Date | undefined
}

const showProgress = ({ compared, upTo }: Books): void => {
  if (toolRun().stderr.isTTY && upTo)
    toolRun().stderr.write(`\r${compared} compared, up to ${formatDateTime(upTo)} `)
}

/** Ends early when the gateway has nothing to say at all: the rest would take hours and tell nothing. */
const compareAll = async (chunks: AsyncIterable<Compared[]>, books: Books): Promise<void> => {
  for await (const chunk of chunks) {
    const silent = chunk.filter(({ differences }) => differences === undefined)
    if (silent.length === chunk.length) {
      books.stoppedAt = chunk[0]?.payment.created_at
      return
    }
    books.compared += chunk.length - silent.length
    books.silent.push(...silent.map(({ payment }) => payment.id))
    books.open.push(...chunk.filter(({ differences = [] }) => differences.length > 0))
    books.upTo = chunk.at(-1)?.payment.created_at
    showProgress(books)
  }
}

const sayBooks = ({ compared, open, silent }: Books): void => {
  const rows = open.flatMap(rowsOf)
  if (rows.length > 0) sayTable(['payment', 'started', 'what', 'in the shop', 'at the gateway'], rows)
  const differences = rows.length === 0 ? 'no difference' : counted(rows.length, 'difference')
  say(`${counted(compared, 'payment')} compared, ${differences}.`)
  for (const id of silent) say(`Not compared, because the gateway did not answer: ${id}`)
}

/** What does not depend on the gateway's word, nor on the period. */
type OwnBooks = {
  owed: OwedRefund[]
  unknown: number
  partners: BookFault[]
  debtors: Awaited<ReturnType<typeof listDebtors>>
}

const readOwnBooks = async (db: Db): Promise<OwnBooks> => ({
  owed: await listOwedRefunds(db),
  unknown: (await measureUnknown(db)).count,
  partners: await checkBooks({ db }),
  debtors: await listDebtors({ db }),
})

const presentBooks = (
  { compared, open, silent, stoppedAt }: Books,
  { owed, partners, debtors, unknown }: OwnBooks,
  from: Date,
  to: Date,
) => ({
  from: from.toISOString(),
  to: to.toISOString(),
  compared,
  differences: open.flatMap(present),
  notCompared: silent,
  stoppedAt: stoppedAt?.toISOString() ?? null,
  unknownPayments: unknown,
  owedRefunds: owed.map(presentOwed),
  partnerBooks: partners.map(presentFault),
  partnersOwe: debtors.map(({ id, currency, owing_minor }) => ({
    partner: id,
    currency,
    amount: formatMinor(owing_minor),
  })),
})

const presentOwed = ({ payment_id, refund_id, minor, currency, why, gate_code, since }: OwedRefund) => ({
  paymentId: payment_id,
  refundId: refund_id,
  amount: formatMinor(minor),
  currency,
  why,
  code: gate_code,
  since: since.toISOString(),
  dueBy: refundDueBy(since).toISOString(),
})

const WHY_OWED: Readonly<Record<OwedRefund['why'], string>> = {
  stuck: 'the gateway has not finished it',
  refused: 'the gateway refused it',
  'by-hand': 'it must be sent by hand',
  'not-asked-for': 'nobody has requested it',
}

/** Nothing is said where nothing is owed. */
const sayOwed = (owed: readonly OwedRefund[]): void => {
  if (owed.length === 0) return
  sayTable(
    ['refund owed for', 'since', 'send by', 'amount', 'why it is stuck'],
    owed.map(({ payment_id, since, minor, currency, why }) => [
      payment_id,
      formatDateTime(since),
      formatDate(refundDueBy(since)),
      formatCharged(minor, currency),
      WHY_OWED[why],
    ]),
  )
  say(`${counted(owed.length, 'refund')} owed in all, whenever paid. What to do: refund --help`)
}

const sayDebtors = (debtors: OwnBooks['debtors']): void => {
  for (const { promocode, currency, owing_minor } of debtors)
    say(
      `Partner ${promocode} owes ${formatMoney(owing_minor, currency)} back because of refunds. It is taken from what they earn next.`,
    )
}

const presentFault = ({ what, partner_id, currency, about, has, should }: BookFault) => ({
  what,
  partner: partner_id,
  currency,
  about,
  has: currency ? formatMinor(Number(has)) : has,
  should: currency ? formatMinor(Number(should)) : should,
})

const sayPartners = (faults: readonly BookFault[]): void => {
  if (faults.length === 0) {
    say('The partners’ books add up.')
    return
  }
  sayTable(
    ['partners’ books', 'partner', 'about', 'currency', 'has', 'should have'],
    faults
      .map(presentFault)
      .map(({ what, partner, about, currency, has, should }) => [
        what,
        partner ?? '',
        about ?? '',
        currency ?? '',
        has,
        should,
      ]),
  )
  say(`The partners’ books do not add up: ${counted(faults.length, 'fault')}.`)
}

const sayUnknown = (count: number): void => {
  const are = count === 1 ? 'is' : 'are'
  if (count > 0)
    say(
      `The gateway reported ${counted(count, 'payment')} with money that ${are} not known here. To list them: payment unknown`,
    )
}

const goOn = (since: Date) => `To continue from there: reconcile --since ${since.toISOString()}`

const run = (options: Options) =>
  withDatabase(async (db) => {
    const settings = settingsWhenAsked(toolRun().env)
    const gateways = gatewaysWhenAsked(settings)
    const { from, to } = periodOf(options, Date.now())
    const books: Books = { compared: 0, open: [], silent: [], upTo: undefined, stoppedAt: undefined }
    const saySoFar = () => {
      if (!options.json) sayBooks(books)
      sayAside(`Interrupted. ${goOn(books.upTo ?? from)}`)
    }
    toolRun().signals.once('SIGINT', saySoFar)
    await compareAll(reconcile({ db, gateways }, from, to), books)
    process.off('SIGINT', saySoFar)
    if (toolRun().stderr.isTTY) toolRun().stderr.write('\n')
    const own = await readOwnBooks(db)
    if (options.json) sayJson(presentBooks(books, own, from, to))
    else {
      sayBooks(books)
      sayUnknown(own.unknown)
      sayOwed(own.owed)
      sayPartners(own.partners)
      sayDebtors(own.debtors)
    }
    if (books.stoppedAt) throw new StartError(`No gateway answers. ${goOn(books.stoppedAt)}`)
    if (books.open.length + own.owed.length + own.partners.length + own.unknown > 0)
      toolRun().exitCode = DIFFERS
    else if (books.silent.length > 0) throw new StartError('The gateways did not answer for every payment.')
  })

export const addReconcile = (program: Command): void => {
  reads(program.command('reconcile'))
    .summary('compare the shop with the gateway, and the partners’ books with each other')
    .description(
      'Ask the gateway about every payment of a period and list each difference. Also check whether the partners’ books ' +
        'add up, from the beginning. Nothing is changed. ' +
        'Exit code 0: no difference; 1: differences; 3: the gateway or the database does not answer.',
    )
    .option('--since <day>', 'payments started from this day on, like 2026-11-01 (UTC)', readTime)
    .option(
      '--days <days>',
      `this many days from then; without --since, the last days (${DAYS} by default)`,
      readDays,
    )
    .addOption(JSON_OPTION)
    .action(run)
}
