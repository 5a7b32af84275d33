import { methodName } from '@hedgerow/domain/coins'
import { isoDay } from '@hedgerow/domain/dates'
import { formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { INVOICE_DEFAULTS } from '@hedgerow/domain/invoices'
import { describeOrder } from '@hedgerow/domain/order-description'
import { labelsOf } from '@hedgerow/domain/pricing'
import { splitVat, type VatOfSale, vatOfSale } from '@hedgerow/domain/vat'
import { addressLines } from '@hedgerow/domain/vat-numbers'
import { inSlices, LONG_MS } from '#platform/database/slices.ts'
import type {
  Buyer,
  ChargedSum,
  InvoiceSnapshot,
  InvoiceVat,
  Issuer,
} from '#platform/database/tables/invoices.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJobs } from '#platform/queue/add-job.ts'
import type { Settings } from '#platform/settings.ts'
import {
  findDueOrder,
  insertInvoices,
  listDueOrders,
  listDueOrdersOf,
  listFailingOrders,
  noteFailing,
  type PaidOrder,
} from '#sales/invoices/invoices.queries.ts'
import { lockCounter } from '#sales/invoices/number-series.queries.ts'
import { inSterling, readSterlingRates, type SterlingRates } from '#sales/invoices/sterling.ts'

type Deps = With<'db'> & { settings: Pick<Settings, 'brand' | 'ossNumber'> }

const BATCH = 200
const RETRIES = 20

const nameOf = ({ method, coins }: PaidOrder): string =>
  method === 'card' ? INVOICE_DEFAULTS.method : methodName(method, coins)

/** Where the bank gave no reason. */
const NOT_TOLD = 'Not given'

/** What was paid in another currency is shown with the rate. */
const methodOf = (row: PaidOrder): string => {
  const { charged_minor, charged_currency, rate_micro } = row
  return rate_micro === null
    ? nameOf(row)
    : `${nameOf(row)}, ${formatCharged(charged_minor, charged_currency)} at ${formatRate(rate_micro)}`
}

/** An order's price never changes, so what is missing of it in the payment is what the payment's promocode took off. */
const discountOf = ({
  promocode,
  price_minor,
  amount_minor,
}: PaidOrder): Pick<InvoiceSnapshot, 'discount'> =>
  promocode === null || price_minor === amount_minor
    ? {}
    : { discount: { promocode, priceMinor: price_minor, discountMinor: price_minor - amount_minor } }

const describePurchase = (row: PaidOrder) => ({
  description: INVOICE_DEFAULTS.description,
  details: describeOrder(row, labelsOf(row.options)),
  method: methodOf(row),
  pan: row.pan_masked ?? NOT_TOLD,
  cardHolder: row.card_holder ?? NOT_TOLD,
  authCode: row.auth_code ?? NOT_TOLD,
  currency: row.currency,
  ...discountOf(row),
})

/**
 * The business that gave a VAT number; else as the profile has it now, or the account's name where no other is given.
 * Undefined once the account of a private customer is erased.
 */
const buyerOf = (row: PaidOrder): Buyer | undefined =>
  row.vat_name !== null
    ? { name: row.vat_name, address: addressLines(row.vat_address ?? '') }
    : row.name === null
      ? undefined
      : {
          name: [row.first_name, row.last_name].filter(Boolean).join(' ') || row.name,
          address: [
            row.address_string,
            [row.address_zip, row.address_city].filter(Boolean).join(' '),
            row.address_country,
          ].filter((line): line is string => Boolean(line)),
        }

const vatFactsOf = (row: PaidOrder, sale: VatOfSale): InvoiceVat => ({
  treatment: sale.treatment,
  country: sale.country,
  ...(row.vat_number ? { number: row.vat_number } : {}),
  ...(row.vat_number_standing ? { numberStanding: row.vat_number_standing } : {}),
  ...(row.vat_number_consultation ? { consultation: row.vat_number_consultation } : {}),
  ...(row.vat_country
    ? { evidence: { chosen: row.vat_country, bank: row.bank_country, network: row.network_country } }
    : {}),
})

const chargedOf = (row: PaidOrder): ChargedSum | undefined =>
  row.rate_micro === null
    ? undefined
    : {
        minor: row.charged_minor,
        currency: row.charged_currency,
        rateMicro: row.rate_micro,
        ratedAt: (row.rated_at ?? (row.ended_at as Date)).toISOString(),
      }

/** The number of the One Stop Shop stands where the sale is declared there. */
export const issuerOf = (
  { brand, ossNumber }: Deps['settings'],
  { treatment }: Pick<VatOfSale, 'treatment'>,
): Issuer => ({
  name: brand.name,
  company: brand.company,
  ...(treatment === 'oss' && ossNumber ? { ossNumber } : {}),
})

const snapshotOf = (row: PaidOrder, settings: Deps['settings'], rates: SterlingRates): InvoiceSnapshot => {
  const paidAt = row.ended_at as Date
  const day = isoDay(paidAt)
  const buyer = buyerOf(row)
  // A number that came without an address, to an earlier version, takes no VAT off: art. 226(5) wants name and address.
  const numberStanding = buyer?.address.length ? row.vat_number_standing : null
  const sale = vatOfSale({ country: row.vat_country, numberStanding }, day)
  const sums = { totalMinor: row.amount_minor, ...splitVat(row.amount_minor, sale.rate) }
  const sterling = inSterling(sums, row.currency, rates, day)
  const charged = chargedOf(row)
  return {
    issuer: issuerOf(settings, sale),
    paidAt: paidAt.toISOString(),
    ...describePurchase(row),
    ...sums,
    vatRate: sale.rate,
    vat: vatFactsOf(row, sale),
    ...(buyer ? { buyer } : {}),
    ...(sterling ? { sterling } : {}),
    ...(charged ? { charged } : {}),
  }
}

/** Issues them in one transaction for each year they belong to; one that was issued meanwhile is left as it is. */
const issue = async ({ db, settings }: Deps, due: readonly PaidOrder[]): Promise<void> => {
  for (const [year, orders] of Map.groupBy(due, (order) => order.year))
    await db.transaction().execute(async (trx) => {
      await lockCounter(trx, 'invoices', year)
      // Only now: with the counter locked no rate can be corrected.
      const rates = await readSterlingRates(trx)
      const invoices = orders.map((order) => ({
        orderId: order.order_id,
        paymentId: order.payment_id,
        snapshot: snapshotOf(order, settings, rates),
      }))
      const issued = await insertInvoices(trx, year, invoices)
      await addJobs(
        trx,
        'mail-receipt',
        issued.map((orderId) => ({ orderId })),
      )
    })
}

type Failed = { paymentId: string; error: unknown }

/** Together; if that fails, one by one, so that one that cannot be issued holds up no other. Returns those that cannot. */
const issueEach = async (deps: Deps, due: readonly PaidOrder[]): Promise<Failed[]> => {
  try {
    await issue(deps, due)
    return []
  } catch (error) {
    const [only] = due
    if (only && due.length === 1) return [{ paymentId: only.payment_id, error }]
  }
  const failed: Failed[] = []
  for (const one of due) failed.push(...(await issueEach(deps, [one])))
  return failed
}

/** It is named once, and waits for the operator until it is issued. Throws where the database is what fails. */
const setAside = async ({ db, log }: With<'db' | 'log'>, failed: readonly Failed[]): Promise<void> => {
  for (const { paymentId, error } of failed) {
    const tries = await noteFailing(db, paymentId)
    if (tries === 1)
      log.error({ paymentId, err: error }, 'an invoice cannot be issued, and will be tried again')
  }
}

/** A few at a time: each fails by itself. */
const retryFailing = async (deps: Deps & With<'log'>): Promise<void> => {
  for (const one of await listFailingOrders(deps.db, RETRIES)) {
    const failed = await issueEach(deps, [one])
    await setAside(deps, failed)
    if (failed.length === 0)
      deps.log.info({ paymentId: one.payment_id }, 'a failing invoice has now been issued')
  }
}

/**
 * Gives every paid order its invoice, in the order in which they were paid; with each one its receipt is queued. One that
 * cannot be issued takes no number, and is tried again by itself.
 */
export const issueDueInvoices = async (deps: Deps & With<'log'>): Promise<void> => {
  await inSlices(
    async (rows) => {
      const due = await listDueOrders(deps.db, rows)
      await setAside(deps, await issueEach(deps, due))
      return due.length
    },
    { rows: BATCH, ms: LONG_MS },
  )
  await retryFailing(deps)
}

/** For a customer who is faster than the recurring job. Throws 'invoice-fails' where it cannot be issued. */
export const issueInvoice = async (deps: Deps, orderId: string): Promise<void> => {
  const due = await findDueOrder(deps.db, orderId)
  if (!due) return
  await issueEach(deps, [due])
  // Asked again: where the database is what fails, it says so itself.
  if (await findDueOrder(deps.db, orderId)) throw new Problem('invoice-fails')
}

/**
 * For a customer who leaves: once the account is gone, it is not known who paid. Throws 'account-lacks-invoice' where one
 * cannot be issued.
 */
export const issueInvoicesOf = async (deps: Deps, customerId: string): Promise<void> => {
  const failed = await issueEach(deps, await listDueOrdersOf(deps.db, customerId))
  if (failed.length === 0) return
  const isLeft = (await listDueOrdersOf(deps.db, customerId)).some(({ payment_id }) =>
    failed.some(({ paymentId }) => paymentId === payment_id),
  )
  if (isLeft) throw new Problem('account-lacks-invoice')
}
