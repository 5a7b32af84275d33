import { CURRENCIES } from '@hedgerow/domain/money'
import { PLAN_CURRENCY } from '@hedgerow/domain/plans'
import { PlanCards } from '#features/plans/plan-cards.tsx'
import { SectionHeading } from '#home/section-heading.tsx'
import { useCurrency } from '#shared/currency.tsx'
import { usePlans } from '#shared/plans-query.ts'

/** What is sold at a fixed price. */
export const Plans = () => {
  const { currency } = useCurrency()
  const { layers, plans } = usePlans()
  return (
    <section id="plans" className="scroll-mt-6 pt-16 sm:pt-24">
      <SectionHeading>Price plans</SectionHeading>
      <p className="mt-3 max-w-measure text-lg text-quiet-ink">
        A week, a month or a year at a fixed price. In pounds
        <span>{currency !== PLAN_CURRENCY && `, even when ${CURRENCIES[currency].symbol} is chosen`}</span>,
        VAT included, paid once.
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
