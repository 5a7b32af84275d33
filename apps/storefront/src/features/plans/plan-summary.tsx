import { formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, type Plan, periodDays, periodLabel } from '@hedgerow/domain/plans'
import type { ReactNode } from 'react'
import { Receipt } from '#ui/receipt.tsx'

/** What a plan costs, as it is shown: '£24.00'. In pounds, whatever the header's selector says. */
export const planPrice = ({ priceMinor }: Plan): string => formatMoney(priceMinor, PLAN_CURRENCY)

type PlanSummaryProps = {
  plan: Plan
  /** What is paid, as it is shown: the price, or what a promocode leaves of it. */
  total: string
  /** Stands between the price and the total. */
  children?: ReactNode
}

/** What is bought, and the receipt of what it costs. */
export const PlanSummary = ({ plan, total, children }: PlanSummaryProps) => {
  const { name, period, connections } = plan
  const price = planPrice(plan)
  const neverExpires = periodDays(period) === null
  return (
    <div>
      <dl className="mb-6 grid gap-x-4 gap-y-1 xs:grid-cols-[auto_1fr]">
        <dt className="text-quiet-ink">Plan</dt>
        <dd className="font-medium">{name}</dd>
        <dt className="text-quiet-ink">Duration</dt>
        <dd className="font-medium">
          {periodLabel(period)}
          {neverExpires && ', never expires'}
        </dd>
        <dt className="text-quiet-ink">Connections</dt>
        <dd className="font-medium">{connections}</dd>
      </dl>
      <Receipt
        lines={[{ label: `${name}, ${periodLabel(period)}`, amount: price }]}
        totalLabel="Total"
        total={total}
        note={`Prices include VAT. Paid once; nothing renews by itself.${neverExpires ? ' If you cancel within 14 days, what you used is counted as a part of three years.' : ''}`}
      >
        {children}
      </Receipt>
    </div>
  )
}
