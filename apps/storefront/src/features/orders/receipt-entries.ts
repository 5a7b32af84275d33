import { type CurrencyCode, formatMoney } from '@hedgerow/domain/money'
import { type Choice, CONNECTIONS, type Prices, receiptLines } from '@hedgerow/domain/pricing'
import type { ReceiptEntry } from '@hedgerow/ui/receipt.tsx'

/** The price of a choice in words, line by line. What comes with the days stands there too, at no charge. */
export const receiptEntries = (choice: Choice, currency: CurrencyCode, prices: Prices): ReceiptEntry[] => {
  const [days, ...rest] = receiptLines(choice, prices).map(
    ({ key, label, quantity, unitMinor, amountMinor }) => {
      const isCounted = key === 'days' || key === 'connections'
      return {
        label: isCounted ? `${quantity} ${label}` : label,
        ...(isCounted ? { detail: `× ${formatMoney(unitMinor, currency)}` } : {}),
        amount: formatMoney(amountMinor, currency),
      }
    },
  )
  return [...(days ? [days] : []), { label: `${CONNECTIONS.min} connections`, amount: 'included' }, ...rest]
}
