import { DAY_MS } from '@hedgerow/domain/dates'
import { Registry } from 'prom-client'
import { buyFirst } from '#demo/buy.ts'
import { chanceOf } from '#demo/chance.ts'
import { startClock } from '#demo/clock.ts'
import { dropJobs, fillNodeDays, nameDemoCustomer, unknownHash, useConnections } from '#demo/finish.ts'
import { createDemoGateway } from '#demo/gateway.ts'
import { planHouse } from '#demo/house.ts'
import { liveThrough } from '#demo/live.ts'
import { countConnections, fillNodeHistory } from '#demo/node-minutes.ts'
import { openServices } from '#demo/open-services.ts'
import { drawPerson } from '#demo/people.ts'
import { addPlaces, type DemoAgent, finishPlaces } from '#demo/places.ts'
import { drawArrivals } from '#demo/rhythm.ts'
import { sharePassword, signUp } from '#demo/sign-up.ts'
import { hireStaff } from '#demo/staff.ts'
import { addCannedReplies, planTalks } from '#demo/talk.ts'
import type { Customer, World } from '#demo/world.ts'
import type { Db } from '#platform/database/client.ts'
import type { WithGate } from '#platform/settings.ts'

export type DemoOptions = {
  seed: number
  customers: number
  days: number
  /** Up to when: now. */
  end: Date
}

export type DemoMade = {
  /** What the sandbox's gateway is to know of it: its file. */
  journal: string
  agents: DemoAgent[]
  customers: number
  sales: number
}

/** Long enough before the first customer for a shop to be made ready. */
const BEFORE_MS = 3 * DAY_MS

/** Of those who come, so many are there to be partners, early ones. */
const PARTNERS_IN = 110
const MOST_PARTNERS = 16

const planCustomers = (world: World, known: Customer[], customers: number): void => {
  const end = new Date(world.end)
  const arrivals = drawArrivals(chanceOf(world.seed, 'arrivals'), end, world.days, customers)
  const partners = Math.min(MOST_PARTNERS, Math.max(2, Math.round(customers / PARTNERS_IN)))
  const taken = new Set<string>()
  for (const [number, time] of arrivals.entries())
    world.at(time, async (now) => {
      const customer = await signUp(now, drawPerson(now.seed, number, taken))
      if (!customer) return
      known.push(customer)
      if (now.partners.length < partners && number % 3 === 1) now.partners.push(customer)
      const chance = chanceOf(now.seed, `comes ${number}`)
      const waits = chance.weigh([
        [62, chance.between(2, 25) * 60_000],
        [12, chance.between(60, 3_000) * 60_000],
        [26, Number.POSITIVE_INFINITY],
      ])
      now.at(Date.now() + waits, buyFirst(customer))
    })
}

/**
 * Lives a shop's past through the shop's own services, by a clock that is set to each moment of it, on a database that was
 * opened to be told the time (clock.ts) and that no shop uses. The same seed lives the same.
 */
export const makeDemoShop = async (
  db: Db,
  settings: WithGate,
  { seed, customers, days, end }: DemoOptions,
  say: (line: string) => void,
): Promise<DemoMade> => {
  const gateway = createDemoGateway(settings.gate.projectId)
  const deps = openServices(db, settings, gateway.client, new Registry())
  const start = new Date(end.getTime() - days * DAY_MS - BEFORE_MS)
  const clock = await startClock(db, start)
  const known: Customer[] = []
  try {
    sharePassword(await unknownHash())
    const staff = await hireStaff(deps, chanceOf(seed, 'staff'))
    const before: Omit<World, 'at'> = {
      ...{ deps, gateway, clock, seed, days, end: end.getTime(), staff },
      ...{ nodes: new Map(), partners: [], buyers: [], talkers: new Set(), sales: 0, customers: 0 },
    }
    const agents = await addPlaces(before as World)
    await addCannedReplies(before as World)
    say(`Six colleagues, three places. Now ${days} days are lived:`)
    const begin = (world: World) => {
      planHouse(world)
      planCustomers(world, known, customers)
      planTalks(world)
    }
    await liveThrough(before, begin, (told) =>
      say(`  day ${told.day} of ${told.of}: ${told.customers} customers, ${told.sales} sales`),
    )
    await clock.set(end)
    await deps.later.finished()
    await dropJobs(deps)
    await useConnections(deps, seed)
    await fillNodeDays(deps, { days, end: end.getTime() })
    const counted = await countConnections(deps, agents)
    await fillNodeHistory(deps, { days, end: end.getTime() }, counted)
    await nameDemoCustomer(deps, known)
    await finishPlaces(deps)
    return { journal: gateway.journal(), agents: counted, customers: before.customers, sales: before.sales }
  } finally {
    await clock.stop()
  }
}
