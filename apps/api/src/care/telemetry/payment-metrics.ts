import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { chargedCurrency, PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { AWAITING_CONFIRMATION, isFinal, PAYMENT_STATUSES } from '@hedgerow/domain/payment-status'
import { measureAttentionItems } from '#care/telemetry/attention-items.ts'
import type { Total } from '#care/telemetry/final-totals.ts'
import {
  LEFT,
  listLivePayments,
  listRateAges,
  refundTotals,
  salesTotals,
} from '#care/telemetry/payment-metrics.queries.ts'
import { type Sample, source } from '#care/telemetry/read-at-scrape.ts'
import { countOldRates } from '#money/rates/rates.ts'
import { countMissingSterling } from '#sales/invoices/sterling.ts'

const BY_METHOD = { labelNames: ['currency', 'method'], isTotal: true }

type SaleLabels = { currency: string; method: string }

const SALES: readonly SaleLabels[] = PAYMENT_METHODS.flatMap((method) =>
  CURRENCY_CODES.map((currency) => ({ currency, method })),
)
const CHARGED: readonly SaleLabels[] = PAYMENT_METHODS.flatMap((method) =>
  [...new Set(CURRENCY_CODES.map((currency) => chargedCurrency(method, currency)))].map((currency) => ({
    currency,
    method,
  })),
)

/** With a nought for what never happened: else the first one would not show as a rise. */
const withNoughts = (labelled: readonly SaleLabels[], totals: readonly Total[]): Total[] => {
  const isOf = (labels: SaleLabels) => (total: Total) =>
    total.labels.currency === labels.currency && total.labels.method === labels.method
  return [
    ...totals,
    ...labelled.filter((one) => !totals.some(isOf(one))).map((labels) => ({ labels, count: 0, minor: 0 })),
  ]
}

const counts = (totals: readonly Total[]): Sample[] =>
  totals.map(({ labels, count }) => ({ labels, value: count }))
const sums = (totals: readonly Total[]): Sample[] =>
  totals.map(({ labels, minor }) => ({ labels, value: minor }))

/** What was sold and given back since the shop opened. */
const money = () => {
  const [readSales, readRefunds] = [salesTotals(), refundTotals()]
  return source({
    families: {
      hedgerow_sales_total: { help: "Payments that succeeded, by the price's currency", ...BY_METHOD },
      hedgerow_sales_minor_total: { help: 'Their prices in pence or cents', ...BY_METHOD },
      hedgerow_refunds_total: { help: 'Refunds that succeeded, by the currency charged', ...BY_METHOD },
      hedgerow_refunds_minor_total: { help: 'Their sums in pence, cents or groszy', ...BY_METHOD },
    },
    read: async (db) => {
      const sales = withNoughts(SALES, await readSales(db))
      const refunds = withNoughts(CHARGED, await readRefunds(db))
      return {
        hedgerow_sales_total: counts(sales),
        hedgerow_sales_minor_total: sums(sales),
        hedgerow_refunds_total: counts(refunds),
        hedgerow_refunds_minor_total: sums(refunds),
      }
    },
  })
}

const LIVE = [...PAYMENT_STATUSES.filter((status) => !isFinal(status)), AWAITING_CONFIRMATION, LEFT]

const live = source({
  families: {
    hedgerow_payments: {
      help: "Payments that have not ended; 'left': for another attempt",
      labelNames: ['status'],
    },
    hedgerow_payments_oldest_seconds: { help: 'The age of the oldest of them', labelNames: ['status'] },
    hedgerow_paid_orders_waiting: { help: 'Paid orders that wait for room on a node' },
    hedgerow_paid_orders_waiting_oldest_seconds: { help: 'How long the first of them has waited' },
    hedgerow_rates_old: { help: 'Currencies paid by Blik within 30 days, at a rate older than that' },
    hedgerow_sterling_rates_missing: { help: 'Months with sales whose currency has no rate in pounds' },
    hedgerow_rate_age_seconds: { help: 'Since the rate for Blik was set', labelNames: ['currency'] },
  },
  read: async (db) => {
    const rows = await listLivePayments(db)
    const { 'no-room': undelivered } = await measureAttentionItems(db, ['no-room'])
    const rates = await listRateAges(db)
    const oldRates = await countOldRates(db)
    const missingSterling = await countMissingSterling(db)
    const byStatus = (measured: (row: (typeof rows)[number]) => number): Sample[] =>
      LIVE.map((status) => {
        const row = rows.find((one) => one.status === status)
        return { labels: { status }, value: row ? measured(row) : 0 }
      })
    return {
      hedgerow_payments: byStatus(({ count }) => count),
      hedgerow_payments_oldest_seconds: byStatus(({ oldest_seconds }) => oldest_seconds),
      hedgerow_paid_orders_waiting: [{ value: undelivered.count }],
      hedgerow_paid_orders_waiting_oldest_seconds: [{ value: undelivered.oldest_seconds }],
      hedgerow_rates_old: [{ value: oldRates }],
      hedgerow_sterling_rates_missing: [{ value: missingSterling }],
      hedgerow_rate_age_seconds: rates.map(({ currency, seconds }) => ({
        labels: { currency },
        value: seconds,
      })),
    }
  },
})

export const paymentSources = () => [money(), live]
