import { ETHERNITY, PERIODS } from '@hedgerow/domain/plans'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act, type ActField, type Filled, Mistyped } from '#shared/act.tsx'
import { dueOf, FROM } from '#shared/moment.ts'
import { minorOf, wholeOf } from '#shared/typed.ts'

type Shop = ReplyOf<'listConsolePlans'>
export type ListedPlan = Shop['plans'][number]
export type ListedLayer = Shop['layers'][number]

const REFRESHED = ['listConsolePlans'] as const

const periods = PERIODS.map(
  (period) => [period, period === ETHERNITY ? `${ETHERNITY}: it never ends` : period] as const,
)

const pounds = (minor: number) => (minor / 100).toFixed(2)

const termFields = (plan?: ListedPlan): ActField[] => [
  { name: 'name', label: 'Name', ...(plan ? { first: plan.name } : {}) },
  { name: 'period', label: 'Period', kind: 'choice', options: periods, first: plan?.period ?? '31 days' },
  {
    name: 'connections',
    label: 'Connections',
    kind: 'number',
    ...(plan ? { first: String(plan.connections) } : {}),
  },
  {
    name: 'priceMinor',
    label: 'Price in pounds, VAT included',
    kind: 'sum',
    ...(plan ? { first: pounds(plan.priceMinor) } : {}),
  },
  {
    name: 'place',
    label: 'Its place in the group',
    kind: 'number',
    isOptional: true,
    hint: '1 is the first',
    ...(plan ? { first: String(plan.place) } : {}),
  },
  FROM,
]

const placeOf = ({ place }: Filled) => (place ? { place: wholeOf('place', place) } : {})

const termsOf = ({ name = '', period = '', connections, priceMinor }: Filled) => ({
  name,
  period,
  connections: wholeOf('connections', connections),
  priceMinor: priceIn(priceMinor),
})

const priceIn = (typed: string | undefined): number => {
  try {
    return minorOf(typed) ?? 0
  } catch {
    throw new Mistyped('priceMinor', 'Please enter a price like 24.00.')
  }
}

export const AddPlanAct = ({ layer }: { layer: ListedLayer }) => (
  <Act
    label="Add a plan"
    title={`A new plan in ‘${layer.name}’`}
    may="plans.change"
    verb="Put it on sale"
    fields={termFields()}
    run={(filled) =>
      api.call('addConsolePlan', {
        body: { layerId: layer.id, ...termsOf(filled), ...placeOf(filled), ...dueOf(filled) },
      })
    }
    done="Kept. The shop shows it from its moment on."
    refreshes={REFRESHED}
  />
)

export const ChangePlanAct = ({ plan }: { plan: ListedPlan }) => (
  <Act
    label="Change"
    title={`Change ${plan.name}, ${plan.period}`}
    may="plans.change"
    tone="quiet"
    verb="Change it"
    fields={termFields(plan)}
    run={(filled) =>
      api.call('changeConsolePlan', {
        params: { planId: plan.id },
        body: { ...termsOf(filled), ...placeOf(filled), ...dueOf(filled) },
      })
    }
    done="Kept"
    refreshes={REFRESHED}
  >
    <p>
      The plan is retired for good, and a new one with your changes takes its place. What was bought stays as
      it was. A change of its place alone changes nothing else.
    </p>
  </Act>
)

export const RetirePlanAct = ({ plan }: { plan: ListedPlan }) => (
  <Act
    label="Retire"
    title={`Take ${plan.name}, ${plan.period}, off sale?`}
    may="plans.change"
    tone="quiet"
    verb="Retire it"
    fields={[FROM]}
    run={(filled) =>
      api.call('retireConsolePlan', { params: { planId: plan.id }, body: { ...dueOf(filled) } })
    }
    done="Kept"
    refreshes={REFRESHED}
  >
    <p>It is not sold any more, for good. Customers who bought it keep it.</p>
  </Act>
)

export const LayerActs = ({ layer, isEmpty }: { layer: ListedLayer; isEmpty: boolean }) => (
  <>
    <Act
      label="Rename"
      title={`Change ‘${layer.name}’`}
      may="plans.change"
      tone="quiet"
      verb="Keep"
      fields={[
        { name: 'name', label: 'Name', first: layer.name },
        {
          name: 'description',
          label: 'The line below it',
          isOptional: true,
          first: layer.description,
        },
        { name: 'place', label: 'Its place', kind: 'number', first: String(layer.place) },
      ]}
      run={({ name = '', description = '', place }) =>
        api.call('changeConsoleLayer', {
          params: { layerId: layer.id },
          body: { name, description, place: wholeOf('place', place) },
        })
      }
      done="Kept"
      refreshes={REFRESHED}
    />
    {isEmpty && (
      <Act
        label="Remove"
        title={`Remove ‘${layer.name}’?`}
        may="plans.change"
        tone="quiet"
        verb="Remove"
        run={() => api.call('removeConsoleLayer', { params: { layerId: layer.id } })}
        done="Removed"
        refreshes={REFRESHED}
      >
        <p>Only a group that never had a plan or a node can be removed. The shop shows no empty group.</p>
      </Act>
    )}
  </>
)

export const AddLayerAct = () => (
  <Act
    label="Add a group"
    title="A new group of plans"
    may="plans.change"
    verb="Add it"
    fields={[
      { name: 'name', label: 'Name' },
      { name: 'description', label: 'The line below it', isOptional: true },
    ]}
    run={({ name = '', description = '' }) => api.call('addConsoleLayer', { body: { name, description } })}
    done="Added. The shop shows it once it has a plan."
    refreshes={REFRESHED}
  />
)

export const DropChangeAct = ({ changeId }: { changeId: string }) => (
  <Act
    label="Take back"
    title="Leave it as it is?"
    may="plans.change"
    tone="quiet"
    verb="Take the change back"
    run={() => api.call('dropPlanChange', { params: { changeId } })}
    done="Taken back"
    refreshes={REFRESHED}
  />
)
