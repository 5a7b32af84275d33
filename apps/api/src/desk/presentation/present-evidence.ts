import { invoiceNumber } from '@hedgerow/domain/invoices'
import type { PlacedSale } from '#desk/backoffice/vat-evidence.ts'
import { money } from '#desk/presentation/present-payment.ts'
import { csvText, plainText } from '#platform/csv/write-csv.ts'

/** For programs. */
export const presentSale = ({ row, vat, verdict }: PlacedSale) => ({
  paidAt: (row.ended_at as Date).toISOString(),
  payment: row.id,
  order: row.order_id,
  invoice: row.year === null || row.number === null ? null : invoiceNumber(row.year, row.number),
  method: row.method,
  total: money(row.amount_minor, row.currency),
  vat: vat.vatMinor === null ? null : money(vat.vatMinor, row.currency),
  rate: String(vat.rate),
  treatment: vat.treatment,
  taxedIn: vat.country,
  evidence: { chosen: row.vat_country, bank: row.bank_country, network: row.network_country },
  verdict,
  vatNumber: row.vat_number,
  vatNumberStanding: row.vat_number_standing,
  consultation: row.vat_number_consultation,
})

export type PresentedSale = ReturnType<typeof presentSale>

const COLUMNS: readonly [string, (sale: PresentedSale) => string | null | undefined][] = [
  ['paid_at', ({ paidAt }) => paidAt],
  ['payment', ({ payment }) => payment],
  ['order', ({ order }) => order],
  ['invoice', ({ invoice }) => invoice],
  ['method', ({ method }) => method],
  ['total', ({ total }) => total.amount],
  ['currency', ({ total }) => total.currency],
  ['vat', ({ vat }) => vat?.amount],
  ['rate', ({ rate }) => rate],
  ['treatment', ({ treatment }) => treatment],
  ['taxed_in', ({ taxedIn }) => taxedIn],
  ['chosen', ({ evidence }) => evidence.chosen],
  ['bank', ({ evidence }) => evidence.bank],
  ['network', ({ evidence }) => evidence.network],
  ['verdict', ({ verdict }) => verdict],
  ['vat_number', ({ vatNumber }) => vatNumber],
  ['vat_number_standing', ({ vatNumberStanding }) => vatNumberStanding],
  ['consultation', ({ consultation }) => plainText(consultation ?? '')],
]

export const evidenceCsv = (sales: readonly PresentedSale[]): string =>
  csvText([
    COLUMNS.map(([title]) => title),
    ...sales.map((sale) => COLUMNS.map(([, cell]) => cell(sale) ?? '')),
  ])
