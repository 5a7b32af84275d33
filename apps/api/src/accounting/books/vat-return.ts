import { isoDay } from '@hedgerow/domain/dates'
import { type DayRange, monthOf } from '@hedgerow/domain/periods'
import { addToVatSums, type SummedVat, type VatSums, vatReturnOf } from '@hedgerow/domain/vat-return'
import { inPounds, type MissingMonth, taxOf } from '#accounting/books/in-pounds.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import type { With } from '#platform/dependencies.ts'
import { type BookedDocument, countUnwritten, inOneState, readDocuments } from '#sales/invoices/documents.ts'
import { readSterlingRates, type SterlingRates } from '#sales/invoices/sterling.ts'

/** What has to be known of the figures before the return is submitted. */
export type VatReturnNote =
  /** Days of it are still to come, or it is today. */
  | { kind: 'not-over' }
  /** Paid, or gone back, and without an invoice or a credit note yet: not in the figures. */
  | { kind: 'unwritten'; invoices: number; creditNotes: number }
  /** Written with a rate of another month than the sale's, because there was none yet. */
  | { kind: 'older-rate'; currency: string; month: string; rateDay: string; invoices: number }
  /** Written without pounds; converted here. */
  | { kind: 'converted'; currency: string; month: string; rateMicro: number; documents: number }
  /** In pence. What is declared in the One Stop Shop is in the rows and not in box 6. */
  | { kind: 'oss-not-in-box-6'; netMinor: number }

export type VatReturn = DayRange & SummedVat & { notes: VatReturnNote[] }

type Counted = Extract<VatReturnNote, { kind: 'older-rate' | 'converted' }>

/** One note for all that it is said of. */
const countNote = (notes: Map<string, Counted>, key: string, fresh: Counted): void => {
  const known = notes.get(key) ?? fresh
  if (known.kind === 'older-rate') known.invoices += 1
  else known.documents += 1
  notes.set(key, known)
}

const noteRate = (notes: Map<string, Counted>, document: BookedDocument): void => {
  const { kind, snapshot, saleDay } = document
  const { sterling, currency } = snapshot
  if (kind !== 'invoice' || !sterling || monthOf(sterling.rateDay) === monthOf(saleDay)) return
  const { rateDay } = sterling
  const month = monthOf(saleDay)
  countNote(notes, ['older', currency, month, rateDay].join(), {
    kind: 'older-rate',
    currency,
    month,
    rateDay,
    invoices: 0,
  })
}

type Sheet = { sums: VatSums; notes: Map<string, Counted>; missing: Map<string, MissingMonth> }

const enter = ({ sums, notes, missing }: Sheet, document: BookedDocument, rates: SterlingRates): void => {
  const pounds = inPounds(document, rates)
  if ('missing' in pounds) {
    const { currency, month } = pounds.missing
    missing.set(`${month},${currency}`, pounds.missing)
    return
  }
  const { netMinor, vatMinor } = pounds.sums
  addToVatSums(sums, { kind: document.kind, ...taxOf(document), netMinor, vatMinor })
  noteRate(notes, document)
  if (pounds.by === 'month') {
    const { currency, month, rateMicro } = pounds
    countNote(notes, ['converted', currency, month, rateMicro].join(), {
      kind: 'converted',
      currency,
      month,
      rateMicro,
      documents: 0,
    })
  }
}

const refuseMissing = ({ missing }: Sheet): void => {
  if (missing.size === 0) return
  throw new MissingRate(
    [...missing]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { currency, month }]) => ({ kind: 'sterling', currency, when: month })),
  )
}

const byKey = <T>(notes: Map<string, T>): T[] =>
  [...notes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, note]) => note)

export type VatReturnOptions = { isOssInBox6?: boolean | undefined }

/**
 * What the invoices paid within days of London, both included, and the credit notes of money that went back within them, owe;
 * in pence. From the documents alone: whenever it is asked for, it is the same to the penny. Throws MissingRate.
 */
export const readVatReturn = (
  { db }: With<'db'>,
  { from, to }: DayRange,
  { isOssInBox6 = false }: VatReturnOptions = {},
): Promise<VatReturn> =>
  inOneState(db, async (state) => {
    const rates = await readSterlingRates(state)
    const sheet: Sheet = { sums: new Map(), notes: new Map(), missing: new Map() }
    for await (const documents of readDocuments(state, { from, to }))
      for (const document of documents) enter(sheet, document, rates)
    refuseMissing(sheet)
    const summed = vatReturnOf(sheet.sums, { isOssInBox6 })
    const oss = summed.rows.filter(({ treatment }) => treatment === 'oss')
    const unwritten = await countUnwritten(state, { from, to })
    return {
      from,
      to,
      ...summed,
      notes: [
        ...(to >= isoDay(new Date()) ? [{ kind: 'not-over' } as const] : []),
        ...(unwritten.invoices + unwritten.creditNotes > 0
          ? [{ kind: 'unwritten', ...unwritten } as const]
          : []),
        ...byKey(sheet.notes),
        ...(oss.length > 0 && !isOssInBox6
          ? [
              {
                kind: 'oss-not-in-box-6',
                netMinor: oss.reduce((sum, { netMinor }) => sum + netMinor, 0),
              } as const,
            ]
          : []),
      ],
    }
  })
