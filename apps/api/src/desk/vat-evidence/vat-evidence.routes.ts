import {
  listVatEvidence as listEndpoint,
  type PlacedSaleView,
  vatEvidenceFile,
} from '@hedgerow/contract/console/vat-evidence'
import { invoiceNumberOrNull } from '@hedgerow/domain/invoices'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { listVatEvidence, type PlacedSale } from '#accounting/books/vat-evidence.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { betweenDays } from '#desk/console/periods.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  implementCsv,
  inOneCurrency,
} from '#desk/console/serve-list.ts'
import { sheetText } from '#platform/csv/write-csv.ts'

const present = ({ row, vat, verdict }: PlacedSale): PlacedSaleView => ({
  paidAt: (row.ended_at as Date).toISOString(),
  invoice: invoiceNumberOrNull(row.year, row.number),
  paymentId: row.id,
  orderId: row.order_id,
  method: row.method,
  total: { minor: row.amount_minor, currency: row.currency },
  charged: { minor: row.charged_minor, currency: row.charged_currency },
  operationId: row.operation_id,
  vat: vat.vatMinor === null ? null : { minor: vat.vatMinor, currency: row.currency },
  rate: vat.rate,
  treatment: vat.treatment,
  taxedIn: vat.country,
  chosen: row.vat_country,
  bank: row.bank_country,
  network: row.network_country,
  verdict,
  vatNumber: row.vat_number,
  vatNumberStanding: row.vat_number_standing,
  consultation: row.vat_number_consultation,
  company: row.vat_name,
  viesName: row.vies_name,
})

const COLUMNS = inOneCurrency(fileColumns(vatEvidenceFile.columns))

type Query = z.output<typeof listEndpoint.schema.querystring>

/** What the country of each sale was determined by. */
export const vatEvidenceRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  const list = async (query: Query) => {
    const sales = await listVatEvidence({ db: deps.exportDb }, betweenDays(query))
    const isWanted = ({ verdict }: PlacedSale) => query.contradicting === false || verdict === 'contradicts'
    return sales.filter(isWanted).map(present)
  }

  implementForOperators(app, deps, listEndpoint, ({ query }) => list(query))
  implementCsv(app, deps, vatEvidenceFile, async (query: Query) => ({
    name: 'vat-evidence',
    text: sheetText([
      COLUMNS.map(({ title }) => title),
      ...(await list(query)).map((sale) => COLUMNS.map(({ cell }) => cell(sale))),
    ]),
  }))
}
