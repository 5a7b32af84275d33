import { CURRENCIES } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, periodLabel } from '@hedgerow/domain/plans'
import { Segmented } from '@hedgerow/ui/segmented.tsx'
import { useState } from 'react'
import { PlanCards } from '#features/plans/plan-cards.tsx'
import { SectionHeading } from '#home/section-heading.tsx'
import { useCurrency } from '#shared/currency.tsx'
import { usePlans } from '#shared/plans-query.ts'

/** What is sold at a fixed price: a column for each size, one period at a time. */
export const Plans = () => {
  const { currency } = useCurrency()
  const { layers, plans } = usePlans()
  const periods = [...new Set(plans.map(({ period }) => period))]
  // Of a month, which most want; the operator may sell none.
  const [wanted, setPeriod] = useState(periods[1])
  const period = periods.find((one) => one === wanted) ?? periods[0]
  return (
    <section id="plans" className="scroll-mt-6 pt-16 sm:pt-24">
      <SectionHeading>Price plans</SectionHeading>
      <p className="mt-3 max-w-measure text-lg text-quiet-ink">
        {`A fixed price, paid once, VAT included. In pounds${currency === PLAN_CURRENCY ? '' : `, even when ${CURRENCIES[currency].symbol} is chosen`}.`}
      </p>
      {periods.length > 1 && period !== undefined && (
        <div className="mt-6">
          <Segmented
            label="For how long"
            value={period}
            onChange={setPeriod}
            options={periods.map((one) => ({ value: one, label: periodLabel(one) }))}
          />
        </div>
      )}
      <div className="mt-6 grid gap-6 md:grid-cols-3 md:gap-8">
        {layers.map(({ id, name, description }) => {
          const own = plans.filter(({ layerId }) => layerId === id)
          return (
            <div
              key={id}
              hidden={own.every((plan) => plan.period !== period)}
              className="shown-without-scripts"
            >
              <h3 className="text-xl">{name}</h3>
              <p className="mt-1 text-quiet-ink">{description}</p>
              <PlanCards plans={own} period={period} />
            </div>
          )
        })}
      </div>
    </section>
  )
}
