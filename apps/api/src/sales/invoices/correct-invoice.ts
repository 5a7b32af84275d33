import { isoDay } from '@hedgerow/domain/dates'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import {
  creditOfRest,
  leftOf,
  splitVat,
  type TaxedSums,
  type VatNumberStanding,
  vatOfSale,
} from '@hedgerow/domain/vat'
import type { Trx } from '#platform/database/client.ts'
import type {
  Buyer,
  CreditNoteSnapshot,
  InvoiceSnapshot,
  InvoiceVat,
} from '#platform/database/tables/invoices.table.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'
import type { Settings } from '#platform/settings.ts'
import {
  findLiveInvoice,
  findPaymentOf,
  insertCorrection,
  type LiveInvoice,
  listCreditsOn,
} from '#sales/invoices/corrections.queries.ts'
import { holdPayment, notedOf } from '#sales/invoices/credit-notes.queries.ts'
import { issuerOf } from '#sales/invoices/issue-invoices.ts'
import { currentYear, lockCounter } from '#sales/invoices/number-series.queries.ts'
import { convertSums } from '#sales/invoices/sterling.ts'

export type KnownNumber = { number: string; standing: VatNumberStanding; consultation?: string | undefined }

/** What is right instead; what is left out stays. */
export type RightFacts = {
  buyer?: Partial<Buyer>
  /** Under the scheme that asks for the country. ISO 3166. */
  country?: string
  /** Of a business; null: sold to a private customer. */
  vatNumber?: KnownNumber | null
}

export type CorrectionRefusal =
  | 'unknown'
  /** Another invoice stands in its place already. */
  | 'corrected'
  /** All of it went back. */
  | 'nothing-left'
  /** What went back is not what its credit notes say: a bad debt was booked on it. */
  | 'bad-debt'
  | 'nothing-changes'
  /** The tax can only change where the sale named a country. */
  | 'no-country'
  /** A business that accounts for the tax itself needs a name and an address. */
  | 'no-buyer'

export type Correction =
  | { kind: 'corrected'; invoice: string; creditNote: string }
  | { kind: 'refused'; why: CorrectionRefusal }

const refuse = (why: CorrectionRefusal): Correction => ({ kind: 'refused', why })

/** What decides the tax, as it was found when the invoice was issued, with what is right instead. */
const rightVat = (
  { vat, paidAt }: InvoiceSnapshot,
  { country, vatNumber }: RightFacts,
): { vat: InvoiceVat; rate: number } | undefined => {
  const place = country ?? vat?.evidence?.chosen ?? vat?.country
  if (!vat || !place) return undefined
  const { number, numberStanding, consultation, ...rest } = vat
  const known =
    vatNumber === undefined
      ? number && numberStanding
        ? { number, standing: numberStanding, consultation }
        : null
      : vatNumber
  const facts = { country: place, numberStanding: known ? known.standing : null }
  const sale = vatOfSale(facts, isoDay(new Date(paidAt)))
  return {
    vat: {
      ...rest,
      treatment: sale.treatment,
      country: sale.country,
      ...(known ? { number: known.number, numberStanding: known.standing } : {}),
      ...(known?.consultation ? { consultation: known.consultation } : {}),
    },
    rate: sale.rate,
  }
}

const rightBuyer = ({ buyer }: InvoiceSnapshot, { buyer: right }: RightFacts): Buyer | undefined =>
  right?.name || buyer
    ? { name: right?.name ?? buyer?.name ?? '', address: right?.address ?? buyer?.address ?? [] }
    : undefined

/** What the invoice would be; a refusal where it cannot be, or would be the same. */
const rightSnapshot = (
  settings: Pick<Settings, 'brand' | 'ossNumber'>,
  was: InvoiceSnapshot,
  right: RightFacts,
): InvoiceSnapshot | CorrectionRefusal => {
  const changesTax = right.country !== undefined || right.vatNumber !== undefined
  const taxed = changesTax ? rightVat(was, right) : undefined
  if (changesTax && !taxed) return 'no-country'
  const buyer = rightBuyer(was, right)
  const vat = taxed?.vat ?? was.vat
  if (vat?.treatment === 'reverse-charge' && !buyer?.address.length) return 'no-buyer'
  const isSame = JSON.stringify([buyer, vat]) === JSON.stringify([was.buyer, was.vat])
  if (isSame) return 'nothing-changes'
  return {
    ...was,
    issuer: vat ? issuerOf(settings, vat) : was.issuer,
    vatRate: taxed?.rate ?? was.vatRate,
    ...(buyer ? { buyer } : {}),
    ...(vat ? { vat } : {}),
  }
}

/** What is left of it, of each of its sums. */
export const leftOfInvoice = (was: InvoiceSnapshot, credits: readonly CreditNoteSnapshot[]) => {
  const sums = leftOf(was, credits)
  const pounds = was.sterling && {
    ...was.sterling,
    ...leftOf(
      was.sterling,
      credits.flatMap(({ sterling }) => sterling ?? []),
    ),
  }
  const gone = credits.reduce((sum, { charged }) => sum + (charged?.minor ?? 0), 0)
  const charged = was.charged && { ...was.charged, minor: was.charged.minor - gone }
  return { sums, ...(pounds ? { sterling: pounds } : {}), ...(charged ? { charged } : {}) }
}

export type Left = ReturnType<typeof leftOfInvoice>

/** What takes back the rest of an invoice, when another takes its place. */
export const creditOfLeft = (
  { order_id, year, number, issued_at, snapshot: was }: LiveInvoice,
  left: Left,
  at: string,
): CreditNoteSnapshot => {
  const { issuer, description, details, method, pan, currency, vatRate, buyer, vat } = was
  return {
    issuer,
    invoice: {
      orderId: order_id,
      number: invoiceNumber(year, number),
      issuedAt: issued_at.toISOString(),
    },
    refundedAt: at,
    reason: 'correction',
    description,
    details,
    method,
    pan,
    currency,
    ...left.sums,
    vatRate,
    ...(buyer ? { buyer } : {}),
    ...(vat ? { vat } : {}),
    ...(left.sterling ? { sterling: left.sterling } : {}),
    ...(left.charged ? { charged: left.charged } : {}),
  }
}

/** The same price at the right rate; without another rate each sum as it was. */
const sumsAt = (rate: number, was: InvoiceSnapshot, { sums, sterling }: Left) => {
  if (rate === was.vatRate) return { ...sums, ...(sterling ? { sterling } : {}) }
  const taxed: TaxedSums = { totalMinor: sums.totalMinor, ...splitVat(sums.totalMinor, rate) }
  const pounds = sterling && convertSums(taxed, { rateMicro: sterling.rateMicro, day: sterling.rateDay })
  return { ...taxed, ...(pounds ? { sterling: pounds } : {}) }
}

/** Whether its credit notes are what went back of it. */
const areCreditsWhole = (live: LiveInvoice, credits: readonly TaxedSums[], noted: number): boolean => {
  const { snapshot, charged_minor, noted_minor } = live
  const gone = creditOfRest(snapshot, noted_minor, charged_minor, noted_minor, noted)
  return snapshot.totalMinor - gone.totalMinor === leftOf(snapshot, credits).totalMinor
}

/**
 * Corrects the invoice of a payment within a transaction: what is left of it is credited, and an invoice of the same price
 * takes its place. No money moves. The books count both now (HMRC notice 700/45; Directive 2006/112/EC art. 365): returns
 * that were made stay as they are. `name`: the invoice that is meant; one that was corrected meanwhile is refused.
 */
export const correctWithin = async (
  trx: Trx,
  settings: Pick<Settings, 'brand' | 'ossNumber'>,
  paymentId: string,
  right: RightFacts,
  name?: string,
): Promise<Correction> => {
  await holdPayment(trx, paymentId)
  const live = await findLiveInvoice(trx, paymentId)
  if (!live) return refuse('unknown')
  const { year: ofYear, number: ofNumber, snapshot: was } = live
  const of = invoiceNumber(ofYear, ofNumber)
  if (name !== undefined && name !== of) return refuse('corrected')
  const { correction: _, discount, ...plain } = was
  const made = rightSnapshot(settings, plain, right)
  if (typeof made === 'string') return refuse(made)
  const credits = await listCreditsOn(trx, paymentId, of)
  const noted = await notedOf(trx, paymentId)
  if (!areCreditsWhole(live, credits, noted)) return refuse('bad-debt')
  const left = leftOfInvoice(was, credits)
  if (left.sums.totalMinor === 0) return refuse('nothing-left')
  const year = await currentYear(trx)
  const number = (await lockCounter(trx, 'invoices', year)) + 1
  const credit = (await lockCounter(trx, 'credit-notes', year)) + 1
  const at = new Date().toISOString()
  const issuedAt = live.issued_at.toISOString()
  const { sterling: __, ...others } = made
  const snapshot: InvoiceSnapshot = {
    ...others,
    ...(discount && credits.length === 0 ? { discount } : {}),
    ...sumsAt(made.vatRate, was, left),
    ...(left.charged ? { charged: left.charged } : {}),
    correction: { invoice: of, issuedAt, creditNote: creditNoteNumber(year, credit), at },
  }
  const correctionId = await insertCorrection(trx, {
    paymentId,
    orderId: live.order_id,
    of: { year: ofYear, number: ofNumber },
    notedMinor: noted,
    year,
    note: { number: credit, snapshot: creditOfLeft(live, left, at) },
    invoice: { number, snapshot },
  })
  await addJob(trx, 'mail-correction', { correctionId })
  return {
    kind: 'corrected',
    invoice: invoiceNumber(year, number),
    creditNote: creditNoteNumber(year, credit),
  }
}

/** Corrects an invoice, '2026-000042'. */
export const correctInvoice = async (
  { db, settings }: With<'db'> & { settings: Pick<Settings, 'brand' | 'ossNumber'> },
  name: string,
  right: RightFacts,
): Promise<Correction> => {
  const [year = 0, number = 0] = name.split('-').map(Number)
  const payment = await findPaymentOf(db, { year, number })
  if (!payment) return refuse('unknown')
  return db.transaction().execute((trx) => correctWithin(trx, settings, payment.id, right, name))
}

/** The country that an invoice's sale named; undefined where it named none, or there is no such invoice. */
export const findIssuedCountry = async ({ db }: With<'db'>, name: string): Promise<string | undefined> => {
  const [year = 0, number = 0] = name.split('-').map(Number)
  const vat = (await findPaymentOf(db, { year, number }))?.snapshot.vat
  return vat?.evidence?.chosen ?? vat?.country ?? undefined
}
