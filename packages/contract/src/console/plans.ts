import { PERIODS } from '@hedgerow/domain/plans'
import { FEATURES, type FeatureKey } from '@hedgerow/domain/pricing'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const MOST_PLAN_CONNECTIONS = 100
export const LONGEST_LAYER_DESCRIPTION = 300
const LONGEST_NAME = 60
const MOST_PRICE_MINOR = 10_000_000

const place = z.number().check(z.int(), z.minimum(1), z.maximum(1_000))
const name = z.string().check(z.trim(), z.minLength(1, 'Please enter a name.'), z.maxLength(LONGEST_NAME))

export const PlanView = z.object({
  id: z.string(),
  layerId: z.string(),
  name: z.string(),
  period: z.string(),
  connections: z.int(),
  /** In pence, VAT included. */
  priceMinor: z.int(),
  place: z.int(),
  retiredAt: z.nullable(Time),
  createdAt: Time,
})
export type PlanView = z.infer<typeof PlanView>

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
  priceMinor: z.nullable(z.int()),
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

const reads = { access: 'operator', permission: 'plans.see', record: 'reads' } as const
const changes = { access: 'operator', permission: 'plans.change' } as const

export const listConsolePlans = operatorEndpoint({
  ...consoleRoutes.listConsolePlans,
  ...reads,
  summary: 'What is sold, in the order in which the shop shows it, what was sold, and what changes later',
  schema: {
    querystring: z.object({ retired: z.optional(z.literal('true')) }),
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

const terms = {
  name,
  period: z.enum(PERIODS as [string, ...string[]]),
  connections: z.number().check(z.int(), z.minimum(1), z.maximum(MOST_PLAN_CONNECTIONS)),
  priceMinor: z.number().check(z.int(), z.minimum(1), z.maximum(MOST_PRICE_MINOR)),
}
/** Left out, it is so at once. */
const dueAt = z.optional(z.iso.datetime())
const Made = z.object({ id: z.string(), isDone: z.boolean() })

export const addConsolePlan = operatorEndpoint({
  ...consoleRoutes.addConsolePlan,
  ...changes,
  record: { changes: 'plan add', keeps: ['layerId', 'name', 'period', 'connections', 'priceMinor', 'dueAt'] },
  summary: 'Put a plan on sale, now or from a moment on',
  schema: {
    body: z.object({ layerId: Uuid, ...terms, place: z.optional(place), dueAt }),
    response: { 201: Made },
  },
  problems: [409],
})

const ofPlan = z.object({ planId: Uuid })

export const changeConsolePlan = operatorEndpoint({
  ...consoleRoutes.changeConsolePlan,
  ...changes,
  record: {
    changes: 'plan change',
    subject: 'planId',
    keeps: ['name', 'period', 'connections', 'priceMinor', 'place', 'dueAt'],
  },
  summary: 'Retire a plan and put another with the changes in its place, now or from a moment on',
  schema: {
    params: ofPlan,
    body: z.object({ ...z.partial(z.object(terms)).shape, place: z.optional(place), dueAt }),
    response: { 200: Made },
  },
  problems: [404, 409],
})

export const retireConsolePlan = operatorEndpoint({
  ...consoleRoutes.retireConsolePlan,
  ...changes,
  record: { changes: 'plan retire', subject: 'planId', keeps: ['dueAt'] },
  summary: 'Take a plan off sale, now or from a moment on. Who bought it keeps it',
  schema: { params: ofPlan, body: z.object({ dueAt }), response: { 200: Made } },
  problems: [404, 409],
})

export const dropPlanChange = operatorEndpoint({
  ...consoleRoutes.dropPlanChange,
  ...changes,
  record: { changes: 'plan unschedule', subject: 'changeId' },
  summary: 'Do not make a change that was to come',
  schema: { params: z.object({ changeId: Uuid }), response: { 200: z.object({}) } },
  problems: [404],
})

const description = z.string().check(z.trim(), z.maxLength(LONGEST_LAYER_DESCRIPTION))

export const addConsoleLayer = operatorEndpoint({
  ...consoleRoutes.addConsoleLayer,
  ...changes,
  record: { changes: 'layer add', keeps: ['name'] },
  summary: 'Add a group of plans; the shop shows it once it has one',
  schema: {
    body: z.object({ name, description: z._default(description, ''), place: z.optional(place) }),
    response: { 201: z.object({ id: z.string() }) },
  },
})

const ofLayer = z.object({ layerId: Uuid })

export const changeConsoleLayer = operatorEndpoint({
  ...consoleRoutes.changeConsoleLayer,
  ...changes,
  record: { changes: 'layer change', subject: 'layerId', keeps: ['name', 'place'] },
  summary: 'Change the name, the line below it or the place of a group of plans',
  schema: {
    params: ofLayer,
    body: z.object({
      name: z.optional(name),
      description: z.optional(description),
      place: z.optional(place),
    }),
    response: { 200: z.object({}) },
  },
  problems: [404],
})

export const removeConsoleLayer = operatorEndpoint({
  ...consoleRoutes.removeConsoleLayer,
  ...changes,
  record: { changes: 'layer remove', subject: 'layerId' },
  summary: 'Remove a group that never had a plan or a node',
  schema: { params: ofLayer, response: { 200: z.object({}) } },
  problems: [404, 409],
})
