import { PLAN_CURRENCY } from '@hedgerow/domain/plans'
import type { Prices } from '@hedgerow/domain/pricing'
import { PLAN_CARD, PlanFace } from '@hedgerow/ui/plan-face.tsx'
import type { ReplyOf } from '#lib/api.ts'
import type { ListedLayer, ListedPlan } from '#pages/plans/plan-acts.tsx'

type Shop = ReplyOf<'listConsolePlans'>
type Change = Shop['changes'][number]

const atPlace = (plans: readonly ListedPlan[], plan: ListedPlan, place: number | null) => {
  const others = plans.filter(({ layerId }) => layerId === plan.layerId)
  const rest = plans.filter(({ layerId }) => layerId !== plan.layerId)
  return [...rest, ...others.toSpliced((place ?? others.length + 1) - 1, 0, plan)]
}

const changed = (plans: readonly ListedPlan[], change: Change): readonly ListedPlan[] => {
  const old = plans.find(({ id }) => id === change.planId)
  const others = plans.filter((plan) => plan !== old)
  if (change.kind === 'retire') return others
  if (change.kind === 'change' && !old) return plans
  const place = change.place ?? (old ? plans.filter((p) => p.layerId === old.layerId).indexOf(old) + 1 : null)
  const plan: ListedPlan = {
    id: change.id,
    layerId: old?.layerId ?? change.layerId ?? '',
    layer: old?.layer ?? '',
    name: change.name ?? old?.name ?? '',
    period: change.period ?? old?.period ?? '',
    connections: change.connections ?? old?.connections ?? 0,
    price: change.price ?? old?.price ?? { minor: 0, currency: PLAN_CURRENCY },
    place: place ?? 0,
    retiredAt: null,
    createdAt: change.dueAt,
  }
  return atPlace(others, plan, place)
}

/** What is on sale at a moment, changes to come included. */
export const onSaleAt = ({ plans, changes }: Shop, at: string): readonly ListedPlan[] =>
  changes
    .filter(({ dueAt }) => dueAt <= at)
    .reduce(
      changed,
      plans.filter(({ retiredAt }) => !retiredAt),
    )

/** Of the calculator, with which the cards compare. */
export const pricesAt = ({ prices, pricesFrom }: Shop, at: string): Prices =>
  pricesFrom.findLast(({ dueAt }) => dueAt <= at)?.prices ?? prices

/** As the shop shows it: groups without a plan are not there. */
export const PlanPreview = ({
  layers,
  plans,
  prices,
}: {
  layers: readonly ListedLayer[]
  plans: readonly ListedPlan[]
  prices: Prices
}) => (
  <div className="grid gap-6 rounded-card bg-paper p-4 lg:grid-cols-3">
    {layers
      .filter(({ id }) => plans.some(({ layerId }) => layerId === id))
      .map(({ id, name, description }) => (
        <section key={id} aria-label={`Preview of ${name}`}>
          <h3 className="text-xl">{name}</h3>
          <p className="mt-1 text-quiet-ink">{description}</p>
          <ul className="mt-4 space-y-3">
            {plans
              .filter(({ layerId }) => layerId === id)
              .map((plan) => (
                <li key={plan.id} className={PLAN_CARD}>
                  <PlanFace plan={{ ...plan, priceMinor: plan.price.minor }} prices={prices} />
                </li>
              ))}
          </ul>
        </section>
      ))}
  </div>
)
