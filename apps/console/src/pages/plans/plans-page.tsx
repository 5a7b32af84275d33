import { formatMoney } from '@hedgerow/domain/money'
import { PLAN_CURRENCY } from '@hedgerow/domain/plans'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { useState } from 'react'
import type { ReplyOf } from '#lib/api.ts'
import { timeText } from '#lib/format.ts'
import {
  AddLayerAct,
  AddPlanAct,
  ChangePlanAct,
  DropChangeAct,
  LayerActs,
  type ListedLayer,
  type ListedPlan,
  RetirePlanAct,
} from '#pages/plans/plan-acts.tsx'
import { onSaleAt, PlanPreview, pricesAt } from '#pages/plans/plan-preview.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Shop = ReplyOf<'listConsolePlans'>
type Change = Shop['changes'][number]

const price = (minor: number) => formatMoney(minor, PLAN_CURRENCY)

const PlansOf = ({ layer, plans }: { layer: ListedLayer; plans: readonly ListedPlan[] }) => (
  <Section
    title={layer.name}
    actions={
      <span className="flex flex-wrap gap-1">
        <LayerActs layer={layer} isEmpty={plans.length === 0} />
        <AddPlanAct layer={layer} />
      </span>
    }
  >
    {layer.description && <p className="mb-3 text-quiet-ink">{layer.description}</p>}
    {plans.length === 0 ? (
      <p>No plan is on sale here, so the shop does not show this group.</p>
    ) : (
      <Table
        caption={`Plans of ${layer.name}`}
        keyOf={({ id }) => id}
        rows={plans}
        columns={[
          { header: 'Plan', isName: true, cell: ({ name }) => name },
          { header: 'Period', cell: ({ period }) => period },
          { header: 'Connections', isNumber: true, cell: ({ connections }) => connections },
          { header: 'Price', isNumber: true, cell: (plan) => price(plan.price.minor) },
          { header: 'On sale since', cell: ({ createdAt }) => <Time at={createdAt} as="day" /> },
          {
            header: 'What can be done',
            isBare: true,
            cell: (plan) => (
              <span className="flex flex-wrap justify-end gap-1">
                <ChangePlanAct plan={plan} />
                <RetirePlanAct plan={plan} />
              </span>
            ),
          },
        ]}
      />
    )}
  </Section>
)

const whatOf = (change: Change, { plans, layers }: Shop): string => {
  const plan = plans.find(({ id }) => id === change.planId)
  const named = plan ? `${plan.name}, ${plan.period}, ${price(plan.price.minor)}` : 'a plan'
  const terms = [
    change.name,
    change.period,
    change.connections && `${change.connections} connections`,
    change.price && price(change.price.minor),
  ]
    .filter(Boolean)
    .join(', ')
  if (change.kind === 'retire') return `${named} goes off sale`
  if (change.kind === 'change') return `${named} becomes ${terms}`
  return `${terms} goes on sale in ‘${layers.find(({ id }) => id === change.layerId)?.name ?? ''}’`
}

const Changes = ({ shop }: { shop: Shop }) =>
  shop.changes.length > 0 && (
    <Section title="Scheduled">
      <ul className="divide-y divide-line">
        {shop.changes.map((change) => (
          <li key={change.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span>
              <strong>
                <Time at={change.dueAt} />
              </strong>
              : {whatOf(change, shop)}
            </span>
            <DropChangeAct changeId={change.id} />
          </li>
        ))}
      </ul>
    </Section>
  )

const Preview = ({ shop }: { shop: Shop }) => {
  const [at, setAt] = useState('')
  const moments = [...new Set([...shop.changes, ...shop.pricesFrom].map(({ dueAt }) => dueAt))].toSorted()
  return (
    <Section
      title="As the shop shows it"
      actions={
        moments.length > 0 && (
          <span className="flex items-center gap-2">
            <span aria-hidden="true" className="text-quiet-ink">
              At
            </span>
            <BareSelect aria-label="At" value={at} onChange={({ target }) => setAt(target.value)}>
              <option value="">this moment</option>
              {moments.map((moment) => (
                <option key={moment} value={moment}>
                  {timeText(moment)}
                </option>
              ))}
            </BareSelect>
          </span>
        )
      }
    >
      <PlanPreview layers={shop.layers} plans={onSaleAt(shop, at)} prices={pricesAt(shop, at)} />
    </Section>
  )
}

/** What is sold, and for how much: now, and from a moment on. */
const PlansPage = () => {
  const shop = useData('listConsolePlans', { querystring: {} })
  return (
    <Page
      title="Plans and prices"
      lead="What was bought never changes: changing a plan retires it and puts a new one in its place. Prices of the calculator are settings."
      actions={<AddLayerAct />}
    >
      <Loaded query={shop}>
        {(data) => (
          <div className="space-y-8">
            <Changes shop={data} />
            {data.layers.length === 0 && (
              <EmptyState title="No group yet">Add one, then a plan in it.</EmptyState>
            )}
            {data.layers.map((layer) => (
              <PlansOf
                key={layer.id}
                layer={layer}
                plans={data.plans.filter(({ layerId }) => layerId === layer.id)}
              />
            ))}
            <Preview shop={data} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default PlansPage
