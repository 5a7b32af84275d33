import { formatMoney } from '@hedgerow/domain/money'
import { type Choice, DEFAULT_CHOICE, totalMinor } from '@hedgerow/domain/pricing'
import { useState } from 'react'
import { useCurrency } from '#app/currency.tsx'
import { BuyButton } from '#features/orders/buy-button.tsx'
import { CalculatorControls } from '#features/orders/calculator-controls.tsx'
import { receiptEntries } from '#features/orders/receipt-entries.ts'
import { Receipt } from '#ui/receipt.tsx'

type PriceCalculatorProps = { start?: Choice }

/** What is chosen, beside what it costs and why. */
export const PriceCalculator = ({ start = DEFAULT_CHOICE }: PriceCalculatorProps) => {
  const [choice, setChoice] = useState(start)
  const { currency } = useCurrency()
  return (
    <div className="grid rounded-card border border-line bg-surface md:grid-cols-[1.1fr_1fr]">
      <div className="p-4 sm:p-8">
        <CalculatorControls
          choice={choice}
          change={(part) => setChoice((current) => ({ ...current, ...part }))}
        />
      </div>
      <div className="receipt-edge flex flex-col p-4 sm:p-8">
        <p className="mb-3 font-serif text-xl font-semibold">Your receipt</p>
        <Receipt
          lines={receiptEntries(choice, currency)}
          totalLabel="Total"
          total={formatMoney(totalMinor(choice), currency)}
          note="Prices include VAT. Paid once; nothing renews by itself."
        />
        <div className="mt-6">
          <BuyButton choice={choice} currency={currency} />
        </div>
      </div>
    </div>
  )
}
