import { commissionNumberOrNull } from '@hedgerow/domain/commissions'
import { isoDay } from '@hedgerow/domain/dates'
import { convertBack } from '@hedgerow/domain/exchange'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import {
  balanced,
  type DeferredSale,
  daysDeferred,
  ENDLESS_DAYS,
  inPoundsAlone,
  type JournalAccount,
  type JournalEntry,
  type JournalReferences,
  type Posting,
  releaseOf,
} from '@hedgerow/domain/journal'
import { addDays, type DayRange, instantsOf } from '@hedgerow/domain/periods'
import type { OperationKind, Sum } from '@hedgerow/domain/settlement'
import type { ExportLine } from '#accounting/books/export-lines.ts'
import { rateOfMonth } from '#accounting/books/in-pounds.ts'
import {
  listDaysOfOrders,
  listPartnersMoves,
  listPoundsOfPayments,
  listSentFrom,
  listUncredited,
  listUncreditedRecoveries,
  listUnsoldMoney,
} from '#accounting/books/journal.queries.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { readExportLines } from '#accounting/books/read-lines.ts'
import { type Operation, operationOf } from '#accounting/settlement/match-payments.ts'
import { listOperationsBetween } from '#accounting/settlement/operations.queries.ts'
import { type References, readReferences, totalOf } from '#accounting/settlement/references.ts'
import type { Db } from '#platform/database/client.ts'
import type { CommissionSnapshot } from '#platform/database/tables/partnership.table.ts'
import { readSterlingRates, type SterlingRates } from '#sales/invoices/sterling.ts'

const AWAITED: ReadonlySet<OperationKind> = new Set(['sale', 'refund', 'chargeback', 'representment'])
const COUNTER: Partial<Record<OperationKind, JournalAccount>> = {
  fee: 'fees',
  payout: 'bank',
  correction: 'corrections',
  reserve: 'reserve',
  release: 'reserve',
  'other-shop': 'otherShops',
}

const minus = ({ minor, currency }: Sum): Sum => ({ minor: -minor || 0, currency })

/** At the rate of its month; null where there is none. */
const poundsOn = (rates: SterlingRates, { minor, currency }: Sum, day: string): number | null => {
  if (currency === 'GBP') return minor
  const rate = rateOfMonth(rates, currency, day)
  return rate ? convertBack(minor, rate.rateMicro) : null
}

/** From one account to another, in one currency. */
const moved = (to: JournalAccount, from: JournalAccount, sum: Sum, pounds: number | null): Posting[] => [
  { account: to, sum, poundsMinor: pounds },
  { account: from, sum: minus(sum), poundsMinor: pounds === null ? null : -pounds || 0 },
]

const needPounds = (pounds: number | null, currency: string, day: string): number => {
  if (pounds === null) throw new MissingRate([{ kind: 'sterling', currency, when: day.slice(0, 7) }])
  return pounds
}

const referencesOf = ({ paymentId, orderId, invoice, kind, number, refundId, operationId }: ExportLine) => ({
  ...{ paymentId, orderId, invoice, refundId, operationId },
  creditNote: kind === 'credit-note' ? number : null,
})

/** A document in pounds, as it was written. `deferredMinor`: what of its net is not income yet, or was not. `account`: where its money is, or left. */
const documentEntry = (line: ExportLine, deferredMinor: number, account: JournalAccount): JournalEntry => {
  const day = isoDay(line.taxPoint)
  const pounds = line.pounds
  if (!pounds) throw new MissingRate([{ kind: 'sterling', currency: line.currency, when: day.slice(0, 7) }])
  const { netMinor, vatMinor, totalMinor } = pounds
  return {
    day,
    what:
      line.kind === 'invoice' ? `Invoice ${line.number}` : `Credit note ${line.number} on ${line.invoice}`,
    references: referencesOf(line),
    postings: balanced([
      { account, sum: line.charged, poundsMinor: totalMinor },
      inPoundsAlone('deferred', -deferredMinor),
      inPoundsAlone('sales', -(netMinor - deferredMinor)),
      inPoundsAlone(line.treatment === 'oss' ? 'oss' : 'vat', -vatMinor),
    ]),
  }
}

type Deferred = Omit<DeferredSale, 'credits'> & {
  /** The day of its invoice: of a correction later than the sale's, which its income began with. */
  issued: string
  credits: { day: string; netMinor: number; line: ExportLine }[]
}

/** Documents of the range, and what becomes income of sales that were deferred, however long ago. */
async function* documentEntries(db: Db, { from, to }: DayRange): AsyncGenerator<JournalEntry> {
  const deferred = new Map<string, Deferred>()
  const notes: ExportLine[] = []
  const isWithin = (line: ExportLine) => isoDay(line.taxPoint) >= from
  const began = { from: addDays(from, -ENDLESS_DAYS), to }
  for await (const lines of readExportLines(db, began, { wantsPounds: false })) {
    const invoices = lines.filter(({ kind }) => kind === 'invoice')
    const orders = await listDaysOfOrders(
      db,
      invoices.map(({ orderId }) => orderId),
    )
    const days = new Map(orders.map(({ id, days }) => [id, daysDeferred(days)]))
    for (const line of invoices) {
      const spread = days.get(line.orderId)
      const netMinor = line.pounds?.netMinor ?? 0
      const issued = isoDay(line.taxPoint)
      if (spread)
        deferred.set(line.number, { day: line.saleDay, issued, days: spread, netMinor, credits: [] })
      if (isWithin(line)) yield documentEntry(line, spread ? netMinor : 0, 'awaited')
    }
    for (const line of lines.filter(({ kind }) => kind === 'credit-note')) {
      const netMinor = -(line.pounds?.netMinor ?? 0)
      deferred.get(line.invoice)?.credits.push({ day: isoDay(line.taxPoint), netMinor, line })
      if (isWithin(line)) notes.push(line)
    }
  }
  const released = new Map<string, number>()
  const taken = new Map<string, number>()
  for (const sale of deferred.values()) {
    sale.credits.sort((one, other) => one.line.taxPoint.getTime() - other.line.taxPoint.getTime())
    const release = releaseOf(sale)
    for (const [at, { line }] of sale.credits.entries()) taken.set(line.number, release.taken[at] ?? 0)
    for (const [day, minor] of release.released) {
      const on = day < sale.issued ? sale.issued : day
      if (on >= from && on <= to) released.set(on, (released.get(on) ?? 0) + minor)
    }
  }
  const sentFrom = await listSentFrom(
    db,
    notes.flatMap(({ refundId }) => refundId ?? []),
  )
  for (const line of notes)
    yield documentEntry(line, -(taken.get(line.number) ?? 0), sentFrom.get(line.refundId ?? '') ?? 'awaited')
  for (const [day, minor] of [...released].sort())
    yield {
      day,
      what: 'Deferred income of the day',
      references: {},
      postings: balanced([inPoundsAlone('deferred', minor), inPoundsAlone('sales', -minor)]),
    }
}

/** Money that no invoice or credit note tells of: what bought nothing, and what lost disputes took, or brought back. */
async function* otherMoney(db: Db, range: DayRange, rates: SterlingRates): AsyncGenerator<JournalEntry> {
  const { begins, ends } = instantsOf(range)
  for (const { id, order_id, ended_at, ...sum } of await listUnsoldMoney(db, begins, ends)) {
    const day = isoDay(ended_at as Date)
    const references = { paymentId: id, orderId: order_id }
    const postings = moved('awaited', 'owedBack', sum, poundsOn(rates, sum, day))
    yield { day, what: 'Payment that bought nothing', references, postings }
  }
  for (const row of await listUncreditedRecoveries(db, begins, ends)) {
    const day = isoDay(row.reversed_at as Date)
    const sum = { minor: row.minor, currency: row.currency }
    yield {
      day,
      what: row.is_invoiced ? 'Bad debt recovered' : 'Money of a payment that bought nothing came back',
      references: { paymentId: row.payment_id, orderId: row.order_id, refundId: row.refund_id },
      postings: moved('awaited', row.is_invoiced ? 'badDebts' : 'owedBack', sum, poundsOn(rates, sum, day)),
    }
  }
  for (const row of await listUncredited(db, begins, ends)) {
    const day = isoDay(row.ended_at as Date)
    const sum = { minor: row.amount_minor, currency: row.currency }
    yield {
      day,
      what: row.is_invoiced ? 'Bad debt' : 'Refund of a payment that bought nothing',
      references: { paymentId: row.payment_id, orderId: row.order_id, refundId: row.id },
      postings: moved(row.is_invoiced ? 'badDebts' : 'owedBack', row.account, sum, poundsOn(rates, sum, day)),
    }
  }
}

const operationPostings = (
  operation: Operation,
  day: string,
  rates: SterlingRates,
  written: number | null | undefined,
) => {
  const { kind, initial, booked } = operation
  const pounds = poundsOn(rates, booked, day)
  if (kind === 'exchange' && pounds !== null)
    return [
      { account: 'balance', sum: booked, poundsMinor: pounds } as const,
      inPoundsAlone('exchange', -pounds),
    ]
  if (!AWAITED.has(kind)) return moved('balance', COUNTER[kind] ?? 'exchange', booked, pounds)
  if (initial.currency === booked.currency) return moved('balance', 'awaited', booked, written ?? pounds)
  // The gateway exchanged it: what it is worth now is not what the document said.
  const then = written ?? poundsOn(rates, initial, day)
  const now = needPounds(pounds ?? then, booked.currency, day)
  return [
    { account: 'balance', sum: booked, poundsMinor: now } as const,
    { account: 'awaited', sum: minus(initial), poundsMinor: -(then ?? now) } as const,
  ]
}

const operationReferences = ({ id, paymentId }: Operation, references: References): JournalReferences => {
  const payment = references.payments.get(paymentId ?? '')
  const refundId = references.refundOf.get(id) ?? null
  const creditNote = references.refunds.get(refundId ?? '')?.creditNote ?? null
  const { orderId = null, invoice = null } = payment ?? {}
  return { operationId: id, paymentId, orderId, invoice, refundId, creditNote }
}

/** What the gateway booked: what it took in and gave back, its fees, and what it paid out. */
async function* gatewayEntries(db: Db, range: DayRange, rates: SterlingRates): AsyncGenerator<JournalEntry> {
  const { begins, ends } = instantsOf(range)
  const operations = (await listOperationsBetween(db, begins, ends)).map(operationOf)
  const paymentIds = [...new Set(operations.flatMap(({ paymentId }) => paymentId ?? []))]
  const references = await readReferences(db, paymentIds)
  const written = await listPoundsOfPayments(db, paymentIds)
  for (const operation of operations) {
    const day = isoDay(operation.completed_at)
    const { id, gateway, kind, status, paymentId, booked, feeMinor } = operation
    const document =
      kind === 'sale' ? paymentId : (references.refundOf.get(id) ?? references.recoveryOf.get(id))
    const total = totalOf(operation, references)
    const pounds = written.get(document ?? '') ?? (total && poundsOn(rates, total, day))
    const fee = { minor: feeMinor, currency: booked.currency }
    const postings = balanced([
      ...(status === 'success' ? operationPostings(operation, day, rates, pounds) : []),
      ...moved('fees', 'balance', fee, poundsOn(rates, fee, day)),
    ])
    const whose = gateway === 'gate' ? 'Gateway' : GATEWAY_TITLES[gateway]
    if (postings.length > 0)
      yield {
        day,
        what: `${whose} ${kind}`,
        references: operationReferences(operation, references),
        postings,
      }
  }
}

const PARTNERS: Readonly<Record<string, readonly [JournalAccount, JournalAccount, string]>> = {
  earned: ['commissions', 'partners', 'Commission earned'],
  reversed: ['partners', 'commissions', 'Commission taken back'],
  restored: ['commissions', 'partners', 'Commission credited again'],
  'given-up': ['partners', 'commissions', 'Commission given up'],
  paid: ['partners', 'bank', 'Partner paid'],
}

/** As the document says it; what has no pounds yet waits for a rate, as its partner does. */
const poundsOfVat = (document: CommissionSnapshot | null): number =>
  (document?.currency === 'GBP' ? document.vatMinor : document?.sterling?.vatMinor) ?? 0

async function* partnersEntries(db: Db, range: DayRange, rates: SterlingRates): AsyncGenerator<JournalEntry> {
  const { begins, ends } = instantsOf(range)
  for (const row of await listPartnersMoves(db, begins, ends)) {
    const [to, from, what] = PARTNERS[row.kind] as (typeof PARTNERS)[string]
    const day = isoDay(row.created_at)
    const sum = { minor: row.amount_minor, currency: row.currency }
    const commission = commissionNumberOrNull(row.year, row.number)
    const references = { paymentId: row.payment_id, withdrawalId: row.withdrawal_id, commission }
    yield { day, what, references, postings: moved(to, from, sum, poundsOn(rates, sum, day)) }
    const vatMinor = poundsOfVat(row.snapshot)
    if (vatMinor === 0) continue
    const postings = [inPoundsAlone('inputVat', vatMinor), inPoundsAlone('commissions', -vatMinor)]
    yield { day, what: `VAT of self-billed invoice ${commission}`, references, postings }
  }
}

/**
 * A double-entry journal of days of London: documents in the pounds that they say, what the gateway booked, partners'
 * commissions, bad debts, and deferred income released by the day. Throws MissingRate.
 */
export async function* readJournal(db: Db, range: DayRange): AsyncGenerator<JournalEntry> {
  const rates = await readSterlingRates(db)
  yield* documentEntries(db, range)
  yield* otherMoney(db, range, rates)
  yield* gatewayEntries(db, range, rates)
  yield* partnersEntries(db, range, rates)
}
