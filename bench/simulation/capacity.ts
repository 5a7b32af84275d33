import { AGENT_EVERY_MS, BUYING, MOST_MS, NODE } from './assumptions.ts'
import { Clock } from './clock.ts'
import { createCustomers, HABITS, newSeen, type Seen } from './customers.ts'
import { FAIR, MAIL_SERVER_MS, realGateway, type Weather } from './gateway-model.ts'
import type { Layout } from './layout.ts'
import type { CallName, Cost, Measured } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { MAILS_AT_ONCE, ShopModel } from './shop-model.ts'
import { share } from './validate.ts'

const POLL_S = 0.5

/** How often each call is made for one purchase, with the visits around it. */
export const callsPerPurchase = (files: number): Record<CallName, number> => {
  const visits = HABITS.visits + 1
  return {
    page: visits + HABITS.returns + 1,
    file: visits * HABITS.newcomers * files,
    list: visits,
    logIn: HABITS.logIns,
    order: 1,
    pay: 1,
    outcome: 1,
    receipt: 1,
    poll: FAIR.outcomeMs / 1000 / POLL_S + 2,
    profile: HABITS.returns + 1,
    history: HABITS.returns + 1,
    limit: 4 + 3 * HABITS.logIns,
    agentPoll: 0,
    agentPeer: BUYING.connections,
  }
}

/** Processor milliseconds of one purchase and all around it. */
export const demand = (measured: Measured, layout: Layout): Cost => {
  const times = callsPerPurchase(layout.servesFiles ? 0 : measured.filesOfPage)
  const sum: Cost = { main: 0, documents: 0, threads: 0, database: 0, gateway: 0, client: 0 }
  for (const name of Object.keys(times) as CallName[])
    for (const key of Object.keys(sum) as (keyof Cost)[]) sum[key] += times[name] * measured.calls[name][key]
  return sum
}

export type Bound = { what: string; perSecond: number }

/** Where each part of a layout would be busy all the time: nothing can be faster (utilisation law). The lowest comes first. */
export const bounds = (measured: Measured, layout: Layout): Bound[] => {
  const { main, documents, threads, database } = demand(measured, layout)
  const shop = main + documents + threads
  const cores = layout.machines * layout.cores * 1000
  const all: Bound[] = [
    { what: 'threads of the API', perSecond: (layout.processes * 1000) / main },
    { what: 'one notifying commit after the other', perSecond: 1000 / layout.commitMs },
    ...(layout.hasOwnDatabase
      ? [
          { what: 'processors of the API', perSecond: cores / shop },
          { what: 'processors of PostgreSQL', perSecond: (layout.cores * 1000) / database },
        ]
      : [{ what: 'processors', perSecond: cores / (shop + database) }]),
  ]
  return all.sort((a, b) => a.perSecond - b.perSecond)
}

export type World = {
  clock: Clock
  random: Random
  shop: ShopModel
  seen: Seen
  setWeather: (weather: Weather) => void
}

/** A shop with customers who come at a rate, of purchases a second, that may change; and agents that ask. */
export const startWorld = (
  measured: Measured,
  layout: Layout,
  perSecond: (nowMs: number) => number,
  nodes = 0,
  seed = 1,
): World => {
  const clock = new Clock()
  const random = createRandom(seed)
  let weather = FAIR
  const gateway = realGateway(clock, random, () => weather)
  const shop = new ShopModel(clock, measured, layout, gateway)
  const seen = newSeen()
  const customers = createCustomers(shop, random, seen)
  customers.come(() => perSecond(clock.now))
  if (nodes > 0) customers.agents(() => nodes, AGENT_EVERY_MS)
  return {
    clock,
    random,
    shop,
    seen,
    setWeather: (now) => {
      weather = now
    },
  }
}

/** Until those who come are as many as those who leave. */
const WARM_MS = 12_000
const LOOK_MS = 12_000

export type Steady = {
  perSecond: number
  pressP50: number
  pressP99: number
  pageP99: number
  successP50: number
  pollsPerSecond: number
  /** Of the processors: shop's machines, and PostgreSQL's where it has its own. */
  busy: number
  databaseBusy: number
  receiptsWaiting: number
  refused: number
}

export const timesOf = (seen: readonly { at: number; ms: number }[], from: number, to: number): number[] =>
  seen
    .filter(({ at }) => at >= from && at < to)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)

/** Receipts a second that all processes can send: each mail waits for the mail server. */
export const receiptsPerSecond = ({ calls }: Measured, { processes }: Layout): number => {
  const { main, documents, database } = calls.receipt
  return (processes * MAILS_AT_ONCE * 1000) / (main + documents + database + MAIL_SERVER_MS)
}

/** How a layout does at a steady rate of purchases. */
export const steady = (
  measured: Measured,
  layout: Layout,
  perSecond: number,
  nodes = 0,
  lookMs = LOOK_MS,
): Steady => {
  const world = startWorld(measured, layout, () => perSecond, nodes)
  const { clock, shop, seen } = world
  clock.run(WARM_MS)
  const worked = () => shop.machines.reduce((sum, one) => sum + one.worked, 0)
  const [workedBefore, databaseBefore, pollsBefore] = [worked(), shop.database.worked, seen.polls]
  const end = WARM_MS + lookMs
  clock.run(end)
  const presses = timesOf(seen.presses, WARM_MS, end)
  const successes = timesOf(seen.successes, WARM_MS, end)
  return {
    perSecond: (successes.length * 1000) / lookMs,
    pressP50: share(presses, 0.5),
    pressP99: share(presses, 0.99),
    pageP99: share(timesOf(seen.pages, WARM_MS, end), 0.99),
    successP50: share(successes, 0.5),
    pollsPerSecond: ((seen.polls - pollsBefore) * 1000) / lookMs,
    busy: (worked() - workedBefore) / lookMs / layout.cores / layout.machines,
    databaseBusy: (shop.database.worked - databaseBefore) / lookMs / layout.cores,
    receiptsWaiting: shop.receiptsWaiting,
    refused: shop.refused,
  }
}

/** Parts of the bound at which a layout is tried. */
const TRIED = [0.5, 0.7, 0.9] as const
/** More of the bound is planned by nobody: the model may be off by a quarter (TOLERANCE in validate.ts). */
const PLANNED = 0.7

export type Capacity = {
  layout: Layout
  bound: Bound
  next: Bound
  tried: { part: number; steady: Steady }[]
  /** Purchases a second: the most of those tried, up to PLANNED, at which pages are still answered within MOST_MS. */
  carries: number
}

/** A press that pays waits for the gateway too, so pages are what tells. */
const isCarried = ({ pageP99, refused }: Steady): boolean => pageP99 <= MOST_MS && refused === 0

export const capacityOf = (measured: Measured, layout: Layout): Capacity => {
  const [bound, next] = bounds(measured, layout)
  if (!bound || !next) throw new Error('a layout has several bounds')
  const tried: Capacity['tried'] = TRIED.map((part) => ({
    part,
    steady: steady(measured, layout, part * bound.perSecond),
  }))
  const carried = tried.filter((one) => one.part <= PLANNED && isCarried(one.steady))
  return { layout, bound, next, tried, carries: (carried.at(-1)?.part ?? 0) * bound.perSecond }
}

const hours: readonly number[] = BUYING.byHour
const ofDay = hours.reduce((sum, one) => sum + one, 0)

/** Purchases a second of so many customers, in an hour of the day. */
export const perSecondOf = (customers: number, hour: number): number =>
  (customers / BUYING.everyDays / 3_600) * ((hours[hour] ?? 0) / ofDay)

export const BUSIEST = hours.indexOf(Math.max(...hours))

/** How many customers buy so much in the busiest hour. */
export const customersOf = (perSecond: number): number => perSecond / perSecondOf(1, BUSIEST)

/** What is bought and not over, and what carries it. */
export const connectionsOf = (customers: number): number => customers * BUYING.connections
export const connectionsPerNode = Math.min(NODE.mostPeers, NODE.mbits / (NODE.busyShare * NODE.busyMbits))
export const nodesOf = (customers: number): number => Math.ceil(connectionsOf(customers) / connectionsPerNode)

export const perDay = (customers: number): number => customers / BUYING.everyDays
