import * as plans from '@hedgerow/contract/console/plans'
import type { ReplyOf } from '#lib/api.ts'
import { CallAct } from '#shared/call-act.tsx'

type Shop = ReplyOf<'listConsolePlans'>
export type ListedPlan = Shop['plans'][number]
export type ListedLayer = Shop['layers'][number]

const REFRESHED = ['listConsolePlans'] as const

export const AddPlanAct = ({ layer }: { layer: ListedLayer }) => (
  <CallAct
    call="addConsolePlan"
    endpoint={plans.addConsolePlan}
    label="Add a plan"
    verb="Add"
    tone="outline"
    sends={{ layerId: layer.id }}
    first={{ period: '31 days' }}
    refreshes={REFRESHED}
  >
    <p>It stands in ‘{layer.name}’.</p>
  </CallAct>
)

export const ChangePlanAct = ({ plan }: { plan: ListedPlan }) => (
  <CallAct
    call="changeConsolePlan"
    endpoint={plans.changeConsolePlan}
    label="Change"
    verb="Change"
    params={{ planId: plan.id }}
    first={{
      name: plan.name,
      period: plan.period,
      connections: String(plan.connections),
      priceMinor: (plan.price.minor / 100).toFixed(2),
      place: String(plan.place),
    }}
    refreshes={REFRESHED}
  />
)

export const RetirePlanAct = ({ plan }: { plan: ListedPlan }) => (
  <CallAct
    call="retireConsolePlan"
    endpoint={plans.retireConsolePlan}
    label="Retire"
    verb="Retire"
    params={{ planId: plan.id }}
    refreshes={REFRESHED}
  >
    <p>
      {plan.name}, {plan.period}, is not sold any more then. Customers who bought it keep it.
    </p>
  </CallAct>
)

export const LayerActs = ({ layer, isEmpty }: { layer: ListedLayer; isEmpty: boolean }) => (
  <>
    <CallAct
      call="changeConsoleLayer"
      endpoint={plans.changeConsoleLayer}
      label="Rename"
      verb="Save"
      params={{ layerId: layer.id }}
      first={{ name: layer.name, description: layer.description, place: String(layer.place) }}
      refreshes={REFRESHED}
    />
    {isEmpty && (
      <CallAct
        call="removeConsoleLayer"
        endpoint={plans.removeConsoleLayer}
        label="Remove"
        verb="Remove"
        params={{ layerId: layer.id }}
        refreshes={REFRESHED}
      >
        <p>Only a group that never had a plan or a node can be removed. The shop shows no empty group.</p>
      </CallAct>
    )}
  </>
)

export const AddLayerAct = () => (
  <CallAct
    call="addConsoleLayer"
    endpoint={plans.addConsoleLayer}
    label="Add a group"
    verb="Add"
    tone="outline"
    refreshes={REFRESHED}
  />
)

export const DropChangeAct = ({ changeId }: { changeId: string }) => (
  <CallAct
    call="dropPlanChange"
    endpoint={plans.dropPlanChange}
    label="Take back"
    verb="Take the change back"
    params={{ changeId }}
    refreshes={REFRESHED}
  />
)
