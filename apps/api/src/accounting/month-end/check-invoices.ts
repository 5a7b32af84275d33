import { isoDay } from '@hedgerow/domain/dates'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { splitVat, vatOfSale } from '@hedgerow/domain/vat'
import {
  type InvoiceRow,
  listInvoicesSaidOf,
  listPaid,
  type PaidRow,
} from '#accounting/month-end/invoices.queries.ts'
import { createLine, type Line } from '#accounting/month-end/line.ts'
import { londonYear } from '#accounting/month-end/month.ts'
import { type Books, everyRow } from '#accounting/month-end/pages.ts'
import type { InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import {
  convertSums,
  readSterlingRates,
  type SterlingRates,
  sterlingRateOn,
} from '#sales/invoices/sterling.ts'

const createLines = () => ({
  orders: createLine('invoices-of-payments', 'paid orders', 'invoices'),
  money: createLine(
    'money-in',
    'what payments brought',
    'what invoices say was charged, and what bought nothing',
  ),
  tax: createLine('invoice-vat', 'totals of the invoices', 'their net and VAT'),
  sterling: createLine(
    'invoice-sterling',
    'sterling on invoices of other currencies',
    'their net and VAT at the rate given',
  ),
})

type Lines = ReturnType<typeof createLines>

/** Why a sale has not the invoice that it should have; undefined where it has. */
const faultOf = (row: PaidRow): string | undefined => {
  const { snapshot, year, ended_at, amount_minor, currency } = row
  if (!snapshot || !ended_at) return 'the order is paid, and has no invoice'
  if (!row.is_invoiced) return 'the order has an invoice, but for another payment: it was paid twice'
  if (year !== londonYear(ended_at)) return `paid in ${londonYear(ended_at)}, and its invoice is of ${year}`
  if (snapshot.paidAt !== ended_at.toISOString())
    return `paid at ${ended_at.toISOString()}, and its invoice says ${snapshot.paidAt}`
  if (snapshot.totalMinor !== amount_minor || snapshot.currency !== currency)
    return 'its invoice is of another sum, or in another currency'
  return undefined
}

const seePaid = ({ orders, money }: Lines, row: PaidRow): void => {
  const came = row.received_minor ?? row.charged_minor
  const cameIn = row.received_currency ?? row.charged_currency
  money.add('left', cameIn, came)
  if (!row.is_sale) {
    money.add('right', cameIn, came)
    return
  }
  orders.add('left', row.currency, row.amount_minor)
  const fault = faultOf(row)
  if (fault) orders.differ(`payment ${row.id}`, fault)
}

/** An invoice has `charged` only where the currency differs. */
const chargedOf = ({ charged, totalMinor, currency }: InvoiceSnapshot) => ({
  minor: charged?.minor ?? totalMinor,
  currency: charged?.currency ?? currency,
})

/** Checks its own figures: the rate of its country on its day, the VAT in its total at that rate, and its discount. */
const taxFault = ({ paidAt, vat, discount, ...sums }: InvoiceSnapshot): string | undefined => {
  const { totalMinor, netMinor, vatMinor, vatRate } = sums
  if (netMinor + vatMinor !== totalMinor) return 'net and VAT are not the total'
  if (splitVat(totalMinor, vatRate).vatMinor !== vatMinor) return `the VAT is not ${vatRate} % of the net sum`
  const facts = {
    country: vat?.evidence?.chosen ?? vat?.country ?? null,
    numberStanding: vat?.numberStanding ?? null,
  }
  const owed = vatOfSale(facts, isoDay(new Date(paidAt)))
  if (owed.rate !== vatRate) return `${vatRate} % was taken, and ${owed.rate} % was owed`
  if (vat && vat.treatment !== owed.treatment)
    return `it is taxed as '${vat.treatment}', not '${owed.treatment}'`
  if (discount && discount.priceMinor - discount.discountMinor !== totalMinor)
    return 'the price less the discount is not the total'
  return undefined
}

const sterlingFault = (snapshot: InvoiceSnapshot, rates: SterlingRates): string | undefined => {
  const { sterling, currency, paidAt } = snapshot
  if (!sterling) return undefined
  const { rateMicro, rateDay } = sterling
  const known = sterlingRateOn(rates, currency, rateDay)
  if (rateDay > isoDay(new Date(paidAt))) return `its rate of ${rateDay} is of a day after the sale`
  if (known?.day !== rateDay || known.rateMicro !== rateMicro)
    return `its rate of ${rateDay} is none that was set`
  const should = convertSums(snapshot, { rateMicro, day: rateDay })
  return (['netMinor', 'vatMinor', 'totalMinor'] as const).some((sum) => sterling[sum] !== should[sum])
    ? 'its sterling is not its net and VAT at the rate given'
    : undefined
}

const seeInvoice = (lines: Lines, rates: SterlingRates, row: InvoiceRow): void => {
  const { snapshot, sales } = row
  const { currency, totalMinor, netMinor, vatMinor, sterling } = snapshot
  const about = `invoice ${invoiceNumber(row.year, row.number)}`
  lines.orders.add('right', currency, totalMinor)
  if (sales.length !== 1) lines.orders.differ(about, 'no payment, or more than one, has it as its invoice')
  const charged = chargedOf(snapshot)
  lines.money.add('right', charged.currency, charged.minor)
  lines.tax.add('left', currency, totalMinor)
  lines.tax.add('right', currency, netMinor + vatMinor)
  const taxed = taxFault(snapshot)
  if (taxed) lines.tax.differ(about, taxed)
  if (sterling) {
    lines.sterling.add('left', 'GBP', sterling.totalMinor)
    lines.sterling.add(
      'right',
      'GBP',
      convertSums(snapshot, { ...sterling, day: sterling.rateDay }).totalMinor,
    )
  }
  const converted = sterlingFault(snapshot, rates)
  if (converted) lines.sterling.differ(about, converted)
}

/** Whether each paid order has its one invoice, and whether each invoice is right in itself. */
export const checkInvoices = async (books: Books): Promise<Line[]> => {
  const lines = createLines()
  const rates = await readSterlingRates(books.db)
  for await (const row of everyRow<PaidRow>(books, (after) => listPaid(books, after))) seePaid(lines, row)
  for await (const row of everyRow<InvoiceRow>(books, (after) => listInvoicesSaidOf(books, after)))
    seeInvoice(lines, rates, row)
  return Object.values(lines).map((line) => line.end())
}
