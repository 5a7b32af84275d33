import { formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, type Plan, periodDays, periodLabel } from '@hedgerow/domain/plans'
import { Receipt } from '@hedgerow/ui/receipt.tsx'
import { SummaryRows } from '@hedgerow/ui/summary-rows.tsx'
import type { ReactNode } from 'react'

/** What a plan costs, as it is shown: '£24.00'. In pounds, whatever the header's selector says. */
export const planPrice = ({ priceMinor }: Plan): string => formatMoney(priceMinor, PLAN_CURRENCY)

type PlanSummaryProps = {
  plan: Plan
  /** What is paid, as it is shown: the price, or what a promocode leaves of it. */
  total: string
  /** Which connections it extends, and how many are new. */
  renewal?: string | undefined
  /** What of the price is tax, where that is not the same for all. */
  vat?: ReactNode
  /** Stands between the price and the total. */
  children?: ReactNode
}

/** What is bought, and the receipt of what it costs. */
export const PlanSummary = ({
  plan,
  total,
  renewal,
  vat = 'Prices include VAT.',
  children,
}: PlanSummaryProps) => {
  const { name, period, connections } = plan
  const price = planPrice(plan)
  const neverExpires = periodDays(period) === null
  return (
    <div>
      <SummaryRows
        rows={[
          // The total says it, unless something is taken off.
          { term: 'Plan', value: name, amount: price === total ? undefined : price },
          { term: 'Duration', value: `${periodLabel(period)}${neverExpires ? ', never expires' : ''}` },
          { term: 'Connections', value: renewal ? `${connections}: ${renewal}` : connections },
        ]}
      />
      <Receipt
        lines={[]}
        totalLabel="Total"
        total={total}
        note={
          <>
            <span>{vat}</span> You pay once. Nothing renews by itself.
            <span>
              {neverExpires &&
                ' If you cancel within 14 days, what you used is counted as part of three years.'}
            </span>
          </>
        }
      >
        {children}
      </Receipt>
    </div>
  )
}
