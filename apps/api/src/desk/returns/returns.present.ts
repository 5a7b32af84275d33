import { formatRate } from '@hedgerow/domain/exchange'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import { type DocumentSums, VAT_BOX_PARTS, type VatBoxes } from '@hedgerow/domain/vat-return'
import type { OssReturn } from '#accounting/books/oss-return.ts'
import type { VatReturn, VatReturnNote } from '#accounting/books/vat-return.ts'
import { sheetText } from '#platform/csv/write-csv.ts'

type Sums = Pick<DocumentSums, 'netMinor' | 'vatMinor'>

const amounts = ({ netMinor, vatMinor }: Sums) => ({ net: formatMinor(netMinor), vat: formatMinor(vatMinor) })

type Row = Sums & { invoices: DocumentSums; creditNotes: DocumentSums }

const sumsOf = ({ invoices, creditNotes, ...sums }: Row) => ({
  invoices: invoices.count,
  invoicesNet: formatMinor(invoices.netMinor),
  invoicesVat: formatMinor(invoices.vatMinor),
  creditNotes: creditNotes.count,
  creditNotesNet: formatMinor(creditNotes.netMinor),
  creditNotesVat: formatMinor(creditNotes.vatMinor),
  ...amounts(sums),
})

/** What stands in each box of HMRC's return, in the order of their numbers. */
const VAT_BOX_WORDS: Readonly<Record<keyof VatBoxes, string>> = {
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

const presentBoxes = (boxes: VatBoxes) =>
  (Object.keys(VAT_BOX_WORDS) as (keyof VatBoxes)[]).map((name, at) => {
    const minor = boxes[name]
    const says =
      minor !== null && WHOLE.has(name) ? String(minor / 100) : minor !== null ? formatMinor(minor) : null
    return { box: at + 1, name, what: VAT_BOX_WORDS[name], says, part: VAT_BOX_PARTS[name] }
  })

const unwrittenWords = ({ invoices, creditNotes }: { invoices: number; creditNotes: number }): string =>
  [
    invoices > 0 ? `${counted(invoices, 'payment')} of these days without an invoice` : '',
    creditNotes > 0 ? `${counted(creditNotes, 'refund')} without a credit note` : '',
  ]
    .filter(Boolean)
    .join(' and ')

/** Stands under each return, as boxes that are filled in look complete. */
const PART_NOTE =
  'Boxes 1, 3 and 6 are the shop’s part only. Add services bought from abroad under the reverse charge, such as hosting, ' +
  'gateway fees and commissions of partners abroad: their VAT to boxes 1, 3 and 4, their net to boxes 6 and 7.'

/** A note as a sentence. */
const noteWords = (note: VatReturnNote): string => {
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
        'Ask your accountant whether it belongs there.'
      )
  }
}

const presentRows = ({ rows }: Pick<VatReturn, 'rows'>) =>
  rows.map((row) => ({ treatment: row.treatment, country: row.country, rate: row.rate, ...sumsOf(row) }))

export const presentVatReturn = ({ from, to, rows, totals, boxes, notes }: VatReturn) => ({
  from,
  to,
  rows: presentRows({ rows }),
  totals: sumsOf(totals),
  boxes: presentBoxes(boxes),
  notes: [PART_NOTE, ...notes.map(noteWords)],
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
] as const

/** The rows alone. */
export const vatReturnCsv = (vatReturn: VatReturn): string =>
  sheetText([
    VAT_HEADS,
    ...presentRows(vatReturn).map((row) => VAT_HEADS.map((name) => String(row[name] ?? ''))),
  ])

const ossUnwritten = ({ isOver, unwritten }: OssReturn): string[] => [
  ...(isOver ? [] : ['The quarter is not over: what is sold or given back until then is still to come.']),
  ...(unwritten.invoices + unwritten.creditNotes > 0
    ? [
        `There is still ${unwrittenWords(unwritten)}, whatever tax they owe. Not counted here: run this again when they are written.`,
      ]
    : []),
]

const ossNotes = (ossReturn: OssReturn): string[] => [
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
      euroNet: formatMinor(row.inEuro.netMinor),
      euroVat: formatMinor(row.inEuro.vatMinor),
      poundsNet: formatMinor(row.inPounds.netMinor),
      poundsVat: formatMinor(row.inPounds.vatMinor),
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
  sheetText([
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
