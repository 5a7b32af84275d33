import { formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, type Plan, perDayMinor, periodLabel } from '@hedgerow/domain/plans'
import { Link } from 'wouter'

/** One plan, and the way to its checkout. */
const PlanCard = ({ plan: { id, name, period, connections, priceMinor } }: { plan: Plan }) => {
  const perDay = perDayMinor(priceMinor, period)
  return (
    <Link
      to={`/payment/checkout/${id}`}
      className="flex justify-between gap-4 rounded-card border border-line bg-surface p-4 no-underline hover:border-hedge"
    >
      <span>
        <span className="block font-semibold text-hedge">{periodLabel(period)}</span>
        <span className="block text-sm text-quiet-ink">
          {name}, {connections} connections
        </span>
      </span>
      <span className="text-right tabular-nums">
        <span className="block font-semibold">{formatMoney(priceMinor, PLAN_CURRENCY)}</span>
        <span className="block text-sm text-quiet-ink">
          {perDay ? `${formatMoney(perDay, PLAN_CURRENCY)} a day` : 'never expires'}
        </span>
      </span>
    </Link>
  )
}

export const PlanCards = ({ plans }: { plans: readonly Plan[] }) => (
  <ul className="mt-4 space-y-3">
    {plans.map((plan) => (
      <li key={plan.id}>
        <PlanCard plan={plan} />
      </li>
    ))}
  </ul>
)
