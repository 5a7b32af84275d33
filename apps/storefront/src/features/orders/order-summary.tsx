import type { Order } from '@hedgerow/contract/orders'
import { type CurrencyCode, formatMoney, toMinor } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import {
  type Choice,
  CONNECTIONS,
  FEATURES,
  fromWireFeatures,
  type Prices,
  receiptLines,
  totalMinor,
} from '@hedgerow/domain/pricing'
import { describeRenewal } from '@hedgerow/domain/renewals'
import { Receipt } from '@hedgerow/ui/receipt.tsx'
import { SummaryRows } from '@hedgerow/ui/summary-rows.tsx'
import type { ReactNode } from 'react'
import { formatAmount } from '#shared/format-amount.ts'
import { usePrices } from '#shared/prices-query.ts'

/** What an order comes to, as it is shown: '£45.17'. */
export const orderTotal = ({ total, currency }: Order): string => formatAmount(total, currency.code)

/** How a price comes about, by what it is for. Nothing of an order that keeps a price it was made at before. */
const shares = (order: Order, choice: Choice, currency: CurrencyCode, prices: Prices) => {
  if (totalMinor(choice, prices) !== toMinor(order.price))
    return () => ({ detail: undefined, amount: undefined })
  const lines = new Map(receiptLines(choice, prices).map((line) => [line.key as string, line]))
  return (key: string) => {
    const line = lines.get(key)
    return {
      detail: line && `×\u00A0${formatMoney(line.unitMinor, currency)}`,
      amount: line && formatMoney(line.amountMinor, currency),
    }
  }
}

const Detail = ({ children }: { children: string }) => (
  <span className="font-normal text-quiet-ink tabular-nums">{` ${children}`}</span>
)

type OrderSummaryProps = {
  order: Order
  /** What of the price is tax, where that is not the same for all. */
  vat?: ReactNode
  /** Stands between the price and the total. */
  children?: ReactNode
}

/** What is bought, each with what it costs, and what it comes to. */
export const OrderSummary = ({ order, vat = 'Prices include VAT.', children }: OrderSummaryProps) => {
  const { days, connections, features, currency, renew, location } = order
  const choice = { days, connections, features: fromWireFeatures(features) }
  const chosen = FEATURES.filter(({ key }) => choice.features[key])
  const priceOf = shares(order, choice, currency.code, usePrices())
  const duration = priceOf('days')
  const extra = priceOf('connections')
  const rows = [
    {
      term: 'Duration',
      value: (
        <>
          <span>{counted(days, 'day')}</span>
          {duration.detail && <Detail>{duration.detail}</Detail>}
        </>
      ),
      amount: duration.amount,
    },
    {
      term: 'Connections',
      value: (
        <>
          <span>{connections}</span>
          {extra.detail && (
            <Detail>
              {`(${CONNECTIONS.min} included, ${connections - CONNECTIONS.min}\u00A0${extra.detail})`}
            </Detail>
          )}
          {renew.length > 0 && (
            <span className="block wrap-anywhere">
              {describeRenewal(
                renew.map(({ name }) => name),
                connections,
              )}
            </span>
          )}
        </>
      ),
      amount: extra.amount ?? (duration.amount && 'included'),
    },
    ...(location
      ? [
          {
            term: 'Location',
            value: `${location.name}${location.isChosen || order.status === 'Completed' ? '' : ' (nearest)'}`,
          },
        ]
      : []),
    ...chosen.map(({ key, label }, position) => ({
      term: position === 0 ? 'Features' : '',
      value: label,
      amount: priceOf(key).amount,
    })),
    ...(chosen.length === 0 ? [{ term: 'Features', value: 'None' }] : []),
  ]
  return (
    <div>
      <SummaryRows rows={rows} />
      <Receipt
        lines={[]}
        totalLabel="Total"
        total={orderTotal(order)}
        note={
          <>
            <span>{vat}</span> You pay once. Nothing renews by itself.
          </>
        }
      >
        {children}
      </Receipt>
    </div>
  )
}
