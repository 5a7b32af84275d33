import type { Plan } from '@hedgerow/domain/plans'
import { PLAN_CARD, PlanFace } from '@hedgerow/ui/plan-face.tsx'
import { Link } from 'wouter'
import { usePrices } from '#shared/prices-query.ts'
import { usePlanPath } from '#shared/use-plan-path.ts'

/** One plan; the whole card leads to its checkout. */
const PlanCard = ({ plan }: { plan: Plan }) => (
  <Link to={usePlanPath(plan.id)} className={`${PLAN_CARD} hover:border-hedge`}>
    <PlanFace plan={plan} prices={usePrices()} />
  </Link>
)

type PlanCardsProps = {
  plans: readonly Plan[]
  /** The others are there without scripts only. */
  period: string | undefined
}

export const PlanCards = ({ plans, period }: PlanCardsProps) => (
  <ul className="mt-4 grid gap-3">
    {plans.map((plan) => (
      <li key={plan.id} hidden={plan.period !== period} className="shown-without-scripts">
        <PlanCard plan={plan} />
      </li>
    ))}
  </ul>
)
