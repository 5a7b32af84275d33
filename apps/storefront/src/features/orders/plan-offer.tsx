import { cheaperPlan } from '@hedgerow/domain/cheaper'
import { type CurrencyCode, formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, periodLabel } from '@hedgerow/domain/plans'
import { type Choice, NO_FEATURES } from '@hedgerow/domain/pricing'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { usePlans } from '#shared/plans-query.ts'
import { usePrices } from '#shared/prices-query.ts'
import { usePlanPath } from '#shared/use-plan-path.ts'

const pounds = (minor: number) => formatMoney(minor, PLAN_CURRENCY)

type PlanOfferProps = { choice: Choice; currency: CurrencyCode }

/** Says where a plan gives the same for less: in pounds, as it is charged. What a bank makes of it is not known. */
export const PlanOffer = ({ choice, currency }: PlanOfferProps) => {
  const { plans } = usePlans()
  const prices = usePrices()
  const plan = cheaperPlan(choice, plans, prices)
  const path = usePlanPath(plan?.id ?? '')
  if (plan) {
    return (
      <div className="mt-3 rounded-field border border-line bg-blossom px-4 py-3">
        <p>
          <span>{`${periodLabel(plan.period)} for ${plan.connections} devices cost less as a plan: `}</span>
          <span className="font-semibold tabular-nums">{pounds(plan.priceMinor)}</span>
          {currency !== PLAN_CURRENCY && <span>, charged in pounds</span>}.
        </p>
        <ButtonLink to={path} variant="outline" className="mt-2 w-full">
          Take the plan
        </ButtonLink>
      </div>
    )
  }
  const without = cheaperPlan({ ...choice, features: NO_FEATURES }, plans, prices)
  return (
    without && (
      <p className="mt-3 text-sm text-quiet-ink">
        <span>{`Plans have no options; without them, ${periodLabel(without.period)} cost `}</span>
        <span className="tabular-nums">{pounds(without.priceMinor)}</span> as a plan.
      </p>
    )
  )
}
