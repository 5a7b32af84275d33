import { cheaperPlan } from '@hedgerow/domain/cheaper'
import { type CurrencyCode, formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, type Plan, periodLabel } from '@hedgerow/domain/plans'
import { type Choice, NO_FEATURES, totalMinor } from '@hedgerow/domain/pricing'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { usePlans } from '#shared/plans-query.ts'
import { usePrices } from '#shared/prices-query.ts'
import { usePlanPath } from '#shared/use-plan-path.ts'

const pounds = (minor: number) => formatMoney(minor, PLAN_CURRENCY)

type OfferProps = { plan: Plan; total: number; currency: CurrencyCode }

/** Both currencies as they are charged. Nothing is converted here: what a bank makes of it is not known. */
const Offer = ({ plan, total, currency }: OfferProps) => (
  <div className="mt-3 rounded-field border border-line bg-blossom px-4 py-3">
    <p className="font-semibold">{`${periodLabel(plan.period)} as a plan: ${pounds(plan.priceMinor)}`}</p>
    <p className="text-sm">
      {currency === PLAN_CURRENCY
        ? `For ${plan.connections} connections. You would save ${pounds(total - plan.priceMinor)}.`
        : `For ${plan.connections} connections. Your choice costs ${formatMoney(total, currency)}, or ${pounds(total)} in pounds. Plans are sold in pounds.`}
    </p>
    <ButtonLink to={usePlanPath(plan.id)} variant="outline" className="mt-2 w-full">
      {`Take the plan for ${pounds(plan.priceMinor)}`}
    </ButtonLink>
  </div>
)

type PlanOfferProps = { choice: Choice; currency: CurrencyCode }

/** Says where a plan gives the same for less. */
export const PlanOffer = ({ choice, currency }: PlanOfferProps) => {
  const { plans } = usePlans()
  const prices = usePrices()
  const plan = cheaperPlan(choice, plans, prices)
  if (plan) return <Offer plan={plan} total={totalMinor(choice, prices)} currency={currency} />
  const without = cheaperPlan({ ...choice, features: NO_FEATURES }, plans, prices)
  return (
    <p className="mt-3 text-sm text-quiet-ink">
      {without
        ? `Without options, which plans do not have: ${periodLabel(without.period)} as a plan for ${pounds(without.priceMinor)}.`
        : 'No plan gives this for less.'}
    </p>
  )
}
