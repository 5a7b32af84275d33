import { formatRate } from '@hedgerow/domain/exchange'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import type { DocumentSums, VatBoxes } from '@hedgerow/domain/vat-return'
import type { OssReturn } from '#accounting/books/oss-return.ts'
import type { VatReturn, VatReturnNote } from '#accounting/books/vat-return.ts'
import { csvText } from '#platform/csv/write-csv.ts'

type Sums = Pick<DocumentSums, 'netMinor' | 'vatMinor'>

const amounts = ({ netMinor, vatMinor }: Sums) => ({ net: formatMinor(netMinor), vat: formatMinor(vatMinor) })
const documents = ({ count, ...sums }: DocumentSums) => ({ count, ...amounts(sums) })

/** What stands in each box of HMRC's return, in the order of their numbers. */
export const VAT_BOX_WORDS: Readonly<Record<keyof VatBoxes, string>> = {
  vatDueSales: 'VAT due on sales',
  vatDueAcquisitions: 'VAT due on acquisitions',
  totalVatDue: 'total VAT due',
  vatReclaimedCurrPeriod: 'VAT reclaimed on purchases',
  netVatDue: 'net VAT to pay or reclaim',
  totalValueSalesExVAT: 'sales without VAT',
  totalValuePurchasesExVAT: 'purchases without VAT',
  totalValueGoodsSuppliedExVAT: 'goods supplied to the EU',
  totalAcquisitionsExVAT: 'goods acquired from the EU',
}

/** Boxes 6 to 9 are told in whole pounds. */
const WHOLE = new Set<keyof VatBoxes>([
  'totalValueSalesExVAT',
  'totalValuePurchasesExVAT',
  'totalValueGoodsSuppliedExVAT',
  'totalAcquisitionsExVAT',
])

export const presentBoxes = (boxes: VatBoxes): Record<keyof VatBoxes, string | null> =>
  Object.fromEntries(
    Object.entries(boxes).map(([name, minor]) => [
      name,
      minor === null ? null : WHOLE.has(name as keyof VatBoxes) ? String(minor / 100) : formatMinor(minor),
    ]),
  ) as Record<keyof VatBoxes, string | null>

const unwrittenWords = ({ invoices, creditNotes }: { invoices: number; creditNotes: number }): string =>
  [
    invoices > 0 ? `${counted(invoices, 'payment')} of these days without an invoice` : '',
    creditNotes > 0 ? `${counted(creditNotes, 'refund')} without a credit note` : '',
  ]
    .filter(Boolean)
    .join(' and ')

/** A note as a sentence. */
export const noteWords = (note: VatReturnNote): string => {
  switch (note.kind) {
    case 'not-over':
      return 'These days are not over: what is sold or given back until then is still to come.'
    case 'unwritten':
      return `There is still ${unwrittenWords(note)}. Not counted here: run this again when they are written.`
    case 'older-rate':
      return (
        `${counted(note.invoices, 'invoice')} of ${note.month} in ${note.currency} written with the rate of ${note.rateDay.slice(0, 7)}, ` +
        `as ${note.month} had none yet. They count as they were written.`
      )
    case 'converted':
      return (
        `${counted(note.documents, 'document')} in ${note.currency} of sales of ${note.month} written without pounds: ` +
        `converted at ${formatRate(note.rateMicro)}, the rate of that month.`
      )
    case 'oss-not-in-box-6':
      return (
        `The net of what is declared in the One Stop Shop, ${formatMoney(note.netMinor, 'GBP')}, is not in box 6. ` +
        'Ask your accountant whether it belongs there (--oss-in-box-6).'
      )
  }
}

export const presentVatReturn = ({ from, to, rows, totals, boxes, notes }: VatReturn) => ({
  from,
  to,
  rows: rows.map((row) => ({
    treatment: row.treatment,
    country: row.country,
    rate: row.rate,
    invoices: documents(row.invoices),
    creditNotes: documents(row.creditNotes),
    ...amounts(row),
  })),
  totals: {
    invoices: documents(totals.invoices),
    creditNotes: documents(totals.creditNotes),
    ...amounts(totals),
  },
  boxes: presentBoxes(boxes),
  notes: notes.map((note) => ({ kind: note.kind, text: noteWords(note) })),
})

const VAT_HEADS = [
  'treatment',
  'country',
  'rate',
  'invoices',
  'invoicesNet',
  'invoicesVat',
  'creditNotes',
  'creditNotesNet',
  'creditNotesVat',
  'net',
  'vat',
]

const cellsOf = ({ count, ...sums }: DocumentSums): string[] => [
  String(count),
  ...Object.values(amounts(sums)),
]

/** The rows alone: what they sum to, the boxes, is told by --json. */
export const vatReturnCsv = ({ rows }: VatReturn): string =>
  csvText([
    VAT_HEADS,
    ...rows.map((row) => [
      row.treatment,
      row.country ?? '',
      String(row.rate),
      ...cellsOf(row.invoices),
      ...cellsOf(row.creditNotes),
      ...Object.values(amounts(row)),
    ]),
  ])

const ossUnwritten = ({ isOver, unwritten }: OssReturn): string[] => [
  ...(isOver ? [] : ['The quarter is not over: what is sold or given back until then is still to come.']),
  ...(unwritten.invoices + unwritten.creditNotes > 0
    ? [
        `There is still ${unwrittenWords(unwritten)}, whatever tax they owe. Not counted here: run this again when they are written.`,
      ]
    : []),
]

export const ossNotes = (ossReturn: OssReturn): string[] => [
  ...ossUnwritten(ossReturn),
  ...ossReturn.rates.map(
    ({ quarter, day, rateMicro }) =>
      `Pounds of ${quarter} are converted at ${formatRate(rateMicro)} for €1, the European Central Bank's rate of ${day}.`,
  ),
]

export const presentOssReturn = (ossReturn: OssReturn) => {
  const { quarter, from, to, rows, corrections, totals, rates } = ossReturn
  return {
    quarter,
    from,
    to,
    currency: 'EUR',
    rows: rows.map((row) => ({
      country: row.country,
      rate: row.rate,
      invoices: row.invoices,
      creditNotes: row.creditNotes,
      ...amounts(row),
      inEuro: amounts(row.inEuro),
      inPounds: amounts(row.inPounds),
    })),
    corrections: corrections.map((correction) => ({
      country: correction.country,
      period: correction.period,
      creditNotes: correction.creditNotes,
      ...amounts(correction),
    })),
    totals: {
      ...amounts(totals),
      corrections: formatMinor(totals.correctionsMinor),
      due: formatMinor(totals.dueMinor),
    },
    rates: rates.map(({ rateMicro, ...of }) => ({ ...of, rate: formatRate(rateMicro) })),
    notes: ossNotes(ossReturn),
  }
}

const OSS_HEADS = ['kind', 'country', 'period', 'rate', 'net', 'vat', 'currency']

/** Sales and corrections, as they are typed into the portal. */
export const ossReturnCsv = ({ quarter, rows, corrections }: OssReturn): string =>
  csvText([
    OSS_HEADS,
    ...rows.map((row) => [
      'sales',
      row.country,
      quarter,
      String(row.rate),
      ...Object.values(amounts(row)),
      'EUR',
    ]),
    ...corrections.map((correction) => [
      'correction',
      correction.country,
      correction.period,
      '',
      ...Object.values(amounts(correction)),
      'EUR',
    ]),
  ])
