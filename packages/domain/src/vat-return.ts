import type { VatTreatment } from './vat.ts'
import { HOME_COUNTRY } from './vat-rates.ts'

/** What an invoice or a credit note counts for in a VAT return. In pence, and positive for both. */
export type TaxedDocument = {
  kind: 'invoice' | 'credit-note'
  treatment: VatTreatment
  /** ISO 3166; null for a sale of the United Kingdom's for which no country was asked. */
  country: string | null
  /** In per cent, with at most one decimal. */
  rate: number
  netMinor: number
  vatMinor: number
}

export type DocumentSums = { count: number; netMinor: number; vatMinor: number }

/** `netMinor` and `vatMinor`: what the credit notes leave of the invoices. */
export type VatReturnRow = {
  treatment: VatTreatment
  country: string | null
  rate: number
  invoices: DocumentSums
  creditNotes: DocumentSums
  netMinor: number
  vatMinor: number
}

/** The rows so far, by what they are of. Documents may be added in any order. */
export type VatSums = Map<string, VatReturnRow>

const noSums = (): DocumentSums => ({ count: 0, netMinor: 0, vatMinor: 0 })

const addSums = (
  sums: DocumentSums,
  { netMinor, vatMinor }: Omit<DocumentSums, 'count'>,
  count = 1,
): void => {
  sums.count += count
  sums.netMinor += netMinor
  sums.vatMinor += vatMinor
}

export const addToVatSums = (sums: VatSums, document: TaxedDocument): void => {
  const { kind, treatment, rate } = document
  const country = treatment === 'uk' ? HOME_COUNTRY : document.country
  const key = [treatment, country, rate].join()
  const row = sums.get(key) ?? {
    treatment,
    country,
    rate,
    invoices: noSums(),
    creditNotes: noSums(),
    netMinor: 0,
    vatMinor: 0,
  }
  const sign = kind === 'invoice' ? 1 : -1
  addSums(kind === 'invoice' ? row.invoices : row.creditNotes, document)
  row.netMinor += sign * document.netMinor
  row.vatMinor += sign * document.vatMinor
  sums.set(key, row)
}

/**
 * The boxes of the return by the names of HMRC's API, 1 to 9 in their order. In pence; 6 is whole pounds all the same. Null:
 * it has to come from the company's accounts, which know what it bought.
 */
export type VatBoxes = {
  vatDueSales: number
  vatDueAcquisitions: number
  totalVatDue: number
  vatReclaimedCurrPeriod: null
  netVatDue: null
  totalValueSalesExVAT: number
  totalValuePurchasesExVAT: null
  totalValueGoodsSuppliedExVAT: number
  totalAcquisitionsExVAT: number
}

/** Of each box what the shop tells of it: all, only its own part, or nothing, as that is in the company's accounts. */
export type VatBoxPart = 'whole' | 'shop' | 'accounts'

/**
 * Services bought from abroad under the reverse charge (VATA 1994 s. 8: hosting, and where they are taxed the gateway's fees
 * and partners' commissions) belong into boxes 1 and 3 with their VAT and into 6 with their net (Notice 700/12), and the
 * shop does not know what the company bought.
 */
export const VAT_BOX_PARTS: Readonly<Record<keyof VatBoxes, VatBoxPart>> = {
  vatDueSales: 'shop',
  vatDueAcquisitions: 'whole',
  totalVatDue: 'shop',
  vatReclaimedCurrPeriod: 'accounts',
  netVatDue: 'accounts',
  totalValueSalesExVAT: 'shop',
  totalValuePurchasesExVAT: 'accounts',
  totalValueGoodsSuppliedExVAT: 'whole',
  totalAcquisitionsExVAT: 'whole',
}

/** Whether the net of a sale counts in box 6: all but what is declared in the One Stop Shop, unless that is asked for. */
export const isInBox6 = (treatment: VatTreatment, { isOssInBox6 }: { isOssInBox6: boolean }): boolean =>
  isOssInBox6 || treatment !== 'oss'

export type VatTotals = Pick<VatReturnRow, 'invoices' | 'creditNotes' | 'netMinor' | 'vatMinor'>

export type SummedVat = { rows: VatReturnRow[]; totals: VatTotals; boxes: VatBoxes }

/** The United Kingdom first, then what is declared elsewhere, by country and rate. */
const ORDER: readonly VatTreatment[] = ['uk', 'oss', 'reverse-charge', 'outside']

const compareRows = (one: VatReturnRow, other: VatReturnRow): number =>
  ORDER.indexOf(one.treatment) - ORDER.indexOf(other.treatment) ||
  (one.country ?? '').localeCompare(other.country ?? '', 'en') ||
  one.rate - other.rate

const sumOf = (rows: readonly VatReturnRow[], of: (row: VatReturnRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0)

const totalsOf = (rows: readonly VatReturnRow[]): VatTotals => {
  const [invoices, creditNotes] = [noSums(), noSums()]
  for (const row of rows) {
    addSums(invoices, row.invoices, row.invoices.count)
    addSums(creditNotes, row.creditNotes, row.creditNotes.count)
  }
  return {
    invoices,
    creditNotes,
    netMinor: sumOf(rows, ({ netMinor }) => netMinor),
    vatMinor: sumOf(rows, ({ vatMinor }) => vatMinor),
  }
}

/** The pence are left out. */
const wholePounds = (minor: number): number => minor - (minor % 100)

/** Never with a minus before nought, which a zero that was taken from a negative number has. */
const plainZero = (minor: number): number => minor || 0

/**
 * The return. What is declared in the One Stop Shop is never in box 1; whether its net belongs into box 6 is for the
 * company's accountant to say.
 */
export const vatReturnOf = (sums: VatSums, { isOssInBox6 }: { isOssInBox6: boolean }): SummedVat => {
  const rows = [...sums.values()].sort(compareRows)
  const vatDueSales = sumOf(
    rows.filter(({ treatment }) => treatment === 'uk'),
    ({ vatMinor }) => vatMinor,
  )
  const sales = rows.filter(({ treatment }) => isInBox6(treatment, { isOssInBox6 }))
  return {
    rows,
    totals: totalsOf(rows),
    boxes: {
      vatDueSales,
      vatDueAcquisitions: 0,
      totalVatDue: vatDueSales,
      vatReclaimedCurrPeriod: null,
      netVatDue: null,
      totalValueSalesExVAT: plainZero(wholePounds(sumOf(sales, ({ netMinor }) => netMinor))),
      totalValuePurchasesExVAT: null,
      totalValueGoodsSuppliedExVAT: 0,
      totalAcquisitionsExVAT: 0,
    },
  }
}
