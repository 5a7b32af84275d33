import { ETHERNITY, PERIODS } from '@hedgerow/domain/plans'
import { FEATURES, type FeatureKey } from '@hedgerow/domain/pricing'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, moment, number, optional, sum, text, tick } from './fields.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const LONGEST_NAME = 60
const LONGEST_DESCRIPTION = 300
const MOST_CONNECTIONS = 100
const MOST_PRICE_MINOR = 10_000_000
const MOST_PLACES = 1_000

export const PlanView = z.object({
  id: z.string(),
  layerId: z.string(),
  layer: z.string(),
  name: z.string(),
  period: z.string(),
  connections: z.int(),
  /** VAT included. */
  price: Sum,
  place: z.int(),
  retiredAt: z.nullable(Time),
  createdAt: Time,
})
export type PlanView = z.infer<typeof PlanView>

export const planColumns = columnsOf<PlanView>([
  { name: 'id', title: 'Plan', kind: 'id' },
  { name: 'layer', title: 'Layer', kind: 'text' },
  { name: 'name', title: 'Name', kind: 'text' },
  { name: 'period', title: 'Period', kind: 'word' },
  { name: 'connections', title: 'Connections', kind: 'word' },
  { name: 'price', title: 'Price', kind: 'sum' },
  { name: 'retiredAt', title: 'Retired', kind: 'time' },
])

export const LayerView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  place: z.int(),
})
export type LayerView = z.infer<typeof LayerView>

const PLAN_CHANGE_KINDS = ['add', 'change', 'retire'] as const

/** What will be sold otherwise from a moment on. */
export const PlanChangeView = z.object({
  id: z.string(),
  kind: z.enum(PLAN_CHANGE_KINDS),
  planId: z.nullable(z.string()),
  layerId: z.nullable(z.string()),
  name: z.nullable(z.string()),
  period: z.nullable(z.string()),
  connections: z.nullable(z.int()),
  price: z.nullable(Sum),
  place: z.nullable(z.int()),
  dueAt: Time,
})
export type PlanChangeView = z.infer<typeof PlanChangeView>

const CalculatorPrices = z.object({
  dayMinor: z.int(),
  extraConnectionMinor: z.int(),
  featuresMinor: z.object(
    Object.fromEntries(FEATURES.map(({ key }) => [key, z.int()])) as Record<FeatureKey, z.ZodMiniInt>,
  ),
})

const reads = { access: 'operator', permission: 'plans.see', consequence: 'looks', record: 'reads' } as const
const changes = { access: 'operator', permission: 'plans.change', consequence: 'publishes' } as const

const planFilters = {
  // In an address it is a word.
  retired: { ...tick('Retired plans too'), schema: z.optional(z.literal(['true', true])) },
}

export const listConsolePlans = operatorEndpoint({
  ...consoleRoutes.listConsolePlans,
  ...reads,
  command: 'plan list',
  summary: 'What is sold, in the order in which the shop shows it, what was sold, and what changes later',
  fields: planFilters,
  schema: {
    querystring: bodyOf(planFilters),
    response: {
      200: z.object({
        layers: z.array(LayerView),
        plans: z.array(PlanView),
        changes: z.array(PlanChangeView),
        /** Of the calculator, whose sum stands on a card that it beats. */
        prices: CalculatorPrices,
        /** And from each of these moments on. */
        pricesFrom: z.array(z.object({ dueAt: Time, prices: CalculatorPrices })),
      }),
    },
  },
})

const name = text(
  'Name',
  z.string().check(z.trim(), z.minLength(1, 'Please enter a name.'), z.maxLength(LONGEST_NAME)),
)
const place = optional(number('Its place', 1, MOST_PLACES, { hint: '1 is the first' }))
const PERIOD_OPTIONS = PERIODS.map(
  (period) => [period, period === ETHERNITY ? `${ETHERNITY}: it never ends` : period] as const,
) as [readonly [string, string]]

const terms = {
  name,
  period: choice('Period', PERIOD_OPTIONS),
  connections: number('Connections', 1, MOST_CONNECTIONS),
  priceMinor: {
    ...sum('Price in pounds, VAT included'),
    schema: z.int().check(z.minimum(1, 'The smallest price is 0.01.'), z.maximum(MOST_PRICE_MINOR)),
  },
}
const dueAt = optional(moment('Starts', { hint: 'At once if left empty. You can take it back until then' }))
/** `isNew`: not all was like that before. */
const Made = z.object({ isNew: z.boolean(), id: z.string(), isDone: z.boolean() })

const addFields = {
  layerId: text('Id of the layer', Uuid),
  ...terms,
  place,
  dueAt,
}

export const addConsolePlan = operatorEndpoint({
  ...consoleRoutes.addConsolePlan,
  ...changes,
  record: { changes: 'plan add', keeps: ['layerId', 'name', 'period', 'connections', 'priceMinor', 'dueAt'] },
  summary: 'Put a plan on sale, now or from a moment on',
  done: 'The shop shows it from its moment on',
  fields: addFields,
  schema: { body: bodyOf(addFields), response: { 201: Made } },
  problems: [409],
})

const changeFields = {
  name: optional(terms.name),
  period: optional(terms.period),
  connections: optional(terms.connections),
  priceMinor: optional(terms.priceMinor),
  place,
  dueAt,
}
const ofPlan = z.object({ planId: Uuid })

export const changeConsolePlan = operatorEndpoint({
  ...consoleRoutes.changeConsolePlan,
  ...changes,
  record: {
    changes: 'plan change',
    subject: 'planId',
    keeps: ['name', 'period', 'connections', 'priceMinor', 'place', 'dueAt'],
  },
  summary:
    'Retire a plan for good and put another with the changes in its place, now or from a moment on. What was bought stays as it was. A change of its place alone retires nothing',
  asks: 'Change the plan? Unless only its place changes, it is retired for good, and a new one takes its place.',
  fields: changeFields,
  schema: { params: ofPlan, body: bodyOf(changeFields), response: { 200: Made } },
  problems: [404, 409],
})

export const retireConsolePlan = operatorEndpoint({
  ...consoleRoutes.retireConsolePlan,
  ...changes,
  record: { changes: 'plan retire', subject: 'planId', keeps: ['dueAt'] },
  summary: 'Take a plan off sale for good, now or from a moment on. Customers who bought it keep it',
  asks: 'Take this plan off sale for good?',
  fields: { dueAt },
  schema: { params: ofPlan, body: bodyOf({ dueAt }), response: { 200: Made } },
  problems: [404, 409],
})

export const dropPlanChange = operatorEndpoint({
  ...consoleRoutes.dropPlanChange,
  ...changes,
  record: { changes: 'plan unschedule', subject: 'changeId' },
  summary: 'Do not make a change that was to come',
  done: 'Taken back',
  schema: { params: z.object({ changeId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})

export const listConsoleLayers = operatorEndpoint({
  ...consoleRoutes.listConsoleLayers,
  ...reads,
  command: 'layer list',
  summary: 'The groups of plans, in the order in which the shop shows them',
  schema: { response: { 200: z.object({ layers: z.array(LayerView) }) } },
})

const description = optional(
  text('The line below it', z.string().check(z.trim(), z.maxLength(LONGEST_DESCRIPTION))),
)
const layerFields = { name, description, place }

export const addConsoleLayer = operatorEndpoint({
  ...consoleRoutes.addConsoleLayer,
  ...changes,
  record: { changes: 'layer add', keeps: ['name'] },
  summary: 'Add a group of plans; the shop shows it once it has one',
  done: 'Added. The shop shows it once it has a plan',
  fields: layerFields,
  schema: { body: bodyOf(layerFields), response: { 201: z.object({ id: z.string() }) } },
})

const ofLayer = z.object({ layerId: Uuid })
const layerChanges = { ...layerFields, name: optional(name) }

export const changeConsoleLayer = operatorEndpoint({
  ...consoleRoutes.changeConsoleLayer,
  ...changes,
  record: { changes: 'layer change', subject: 'layerId', keeps: ['name', 'place'] },
  summary: 'Change the name, the line below it or the place of a group of plans',
  done: 'Saved',
  fields: layerChanges,
  schema: { params: ofLayer, body: bodyOf(layerChanges), response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const removeConsoleLayer = operatorEndpoint({
  ...consoleRoutes.removeConsoleLayer,
  ...changes,
  record: { changes: 'layer remove', subject: 'layerId' },
  summary: 'Remove a group that never had a plan or a node',
  done: 'Removed',
  schema: { params: ofLayer, response: { 200: z.object({}) } },
  problems: [404, 409],
})
