import type { Order } from '@hedgerow/contract/orders'
import { toMinor } from '@hedgerow/domain/money'
import { FEATURES, fromWireFeatures, totalMinor } from '@hedgerow/domain/pricing'
import { describeRenewal } from '@hedgerow/domain/renewals'
import type { ReactNode } from 'react'
import { receiptEntries } from '#features/orders/receipt-entries.ts'
import { formatAmount } from '#shared/format-amount.ts'
import { Receipt } from '#ui/receipt.tsx'

/** What an order comes to, as it is shown: '£45.17'. */
export const orderTotal = ({ total, currency }: Order): string => formatAmount(total, currency.code)

type OrderSummaryProps = {
  order: Order
  /** Stands between the price and the total. */
  children?: ReactNode
}

/** What is bought, and the receipt of what it costs. */
export const OrderSummary = ({ order, children }: OrderSummaryProps) => {
  const { days, connections, features, currency, renew } = order
  const choice = { days, connections, features: fromWireFeatures(features) }
  const chosen = FEATURES.filter(({ key }) => choice.features[key])
  // An order keeps the price it was made at. Lines that do not come to it would explain another price.
  const isExplained = totalMinor(choice) === toMinor(order.price)
  return (
    <div>
      <dl className="mb-6 grid gap-x-4 gap-y-1 xs:grid-cols-[auto_1fr]">
        <dt className="text-quiet-ink">Duration</dt>
        <dd className="font-medium">{days === 1 ? '1 day' : `${days} days`}</dd>
        <dt className="text-quiet-ink">Connections</dt>
        <dd className="font-medium">
          {connections}
          {renew.length > 0 && (
            <span className="block wrap-anywhere">
              {describeRenewal(
                renew.map(({ name }) => name),
                connections,
              )}
            </span>
          )}
        </dd>
        <dt className="text-quiet-ink">Features</dt>
        <dd className="font-medium">
          {chosen.length === 0
            ? 'None'
            : chosen.map(({ key, label }) => (
                <span key={key} className="block">
                  {label}
                </span>
              ))}
        </dd>
      </dl>
      <Receipt
        lines={isExplained ? receiptEntries(choice, currency.code) : []}
        totalLabel="Total"
        total={orderTotal(order)}
        note="Prices include VAT. Paid once; nothing renews by itself."
      >
        {children}
      </Receipt>
    </div>
  )
}
