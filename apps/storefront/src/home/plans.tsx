import { CURRENCIES } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { useQuery } from '@tanstack/react-query'
import { PlanCards } from '#features/plans/plan-cards.tsx'
import { plansQuery } from '#features/plans/plans-query.ts'
import { SectionHeading } from '#home/section-heading.tsx'
import { useCurrency } from '#shared/currency.tsx'

const SHIPPED = { layers: SHIPPED_LAYERS, plans: SHIPPED_PLANS }

/** The price plans, as the shop ships them until it is known what is on sale. */
export const Plans = () => {
  const { currency } = useCurrency()
  const { data: { layers, plans } = SHIPPED } = useQuery(plansQuery)
  return (
    <section id="plans" className="scroll-mt-6 pt-16 sm:pt-24">
      <SectionHeading>Price plans</SectionHeading>
      <p className="mt-3 max-w-measure text-lg text-quiet-ink">
        A week, a month or a year at a fixed price. In pounds
        {currency !== PLAN_CURRENCY && `, also when ${CURRENCIES[currency].symbol} is chosen`}, VAT included,
        paid once.
      </p>
      <div className="mt-8 grid gap-10 md:grid-cols-3 md:gap-8">
        {layers.map(({ id, name, description }) => (
          <div key={id}>
            <h3 className="text-xl">{name}</h3>
            <p className="mt-1 text-quiet-ink">{description}</p>
            <PlanCards plans={plans.filter(({ layerId }) => layerId === id)} />
          </div>
        ))}
      </div>
    </section>
  )
}
