import { cheaperChoice } from '@hedgerow/domain/cheaper'
import { formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, type Plan, perDayMinor, periodLabel } from '@hedgerow/domain/plans'
import { type Prices, totalMinor } from '@hedgerow/domain/pricing'

const price = (minor: number) => formatMoney(minor, PLAN_CURRENCY)

export const PLAN_CARD =
  '@container group flex flex-wrap justify-between gap-2 rounded-card border border-line bg-surface p-4 text-sm text-quiet-ink no-underline transition-colors'

/** What a plan's card says, beside what the calculator asks for the same. */
export const PlanFace = ({ plan, prices }: { plan: Plan; prices: Prices }) => {
  const { name, period, connections, priceMinor } = plan
  const cheaper = cheaperChoice(plan, prices)
  const perDay = perDayMinor(priceMinor, period)
  return (
    <>
      <span className="grid gap-1 @min-[14rem]:whitespace-nowrap">
        <span className="text-lg font-semibold text-ink">{periodLabel(period)}</span>
        <span>{name}</span>
        <span>{`${connections} connections`}</span>
        {cheaper && <span>{`${price(totalMinor(cheaper, prices))} with the calculator`}</span>}
      </span>
      <span className="ml-auto grid gap-1 text-right tabular-nums @min-[14rem]:whitespace-nowrap">
        <span className="text-lg font-semibold text-ink">{price(priceMinor)}</span>
        <span>{perDay ? `${price(perDay)} a day` : 'never expires'}</span>
        <span className="font-semibold text-hedge group-hover:underline">
          Buy <span aria-hidden="true">→</span>
        </span>
      </span>
    </>
  )
}
