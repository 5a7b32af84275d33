import { periodLabel } from '@hedgerow/domain/plans'
import { useQuery } from '@tanstack/react-query'
import { planPrice } from '#features/plans/plan-summary.tsx'
import { OrderAhead } from '#shared/order-ahead.tsx'
import { plansQuery, usePlans } from '#shared/plans-query.ts'

/** The plan whose checkout comes after the log-in. */
export const PlanAhead = ({ planId }: { planId: string }) => {
  const { isSuccess } = useQuery(plansQuery)
  const plan = usePlans().plans.find(({ id }) => id === planId)
  // A plan that is no longer sold: its checkout says so.
  if (isSuccess && !plan) return null
  return (
    <OrderAhead
      what={plan ? `${plan.name}, ${periodLabel(plan.period)}, ${plan.connections} connections` : 'a plan'}
      {...(plan ? { total: planPrice(plan) } : {})}
      changeAt="/products"
    />
  )
}
