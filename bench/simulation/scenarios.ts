import { layouts } from './assumptions.ts'
import { startWorld, timesOf, type World } from './capacity.ts'
import { FAIR } from './gateway-model.ts'
import type { Layout } from './layout.ts'
import type { Measured } from './measured.ts'
import { share } from './validate.ts'

const SECOND_MS = 1000

/** Something that goes wrong, or suddenly well, from one moment to another; seconds. */
export type Scenario = {
  name: string
  layout: Layout
  /** Purchases a second at a moment. */
  perSecond: (atS: number) => number
  fromS: number
  toS: number
  endS: number
  begin?: (world: World) => void
  end?: (world: World) => void
}

export type Told = {
  name: string
  /** Before it, and the worst of its ten-second stretches. Milliseconds. */
  before: { page: number; success: number }
  worst: { page: number; success: number }
  pollsPerSecond: number
  /** The most at a moment: calls that wait for a process, statements that wait for a connection, receipts not sent. */
  most: { calls: number; statements: number; receipts: number }
  refused: number
  lost: number
  /** Seconds after its end until pages and outcomes are as before; undefined: not within the run. */
  recoveredAfterS: number | undefined
  /** Receipts that still waited at the end of the run. */
  receiptsLeft: number
}

const STRETCH_MS = 10 * SECOND_MS
const WARM_S = 15

type Stretch = { at: number; page: number; success: number }

const stretchesOf = ({ seen }: World, fromMs: number, toMs: number): Stretch[] => {
  const stretches: Stretch[] = []
  for (let at = fromMs; at + STRETCH_MS <= toMs; at += STRETCH_MS)
    stretches.push({
      at,
      page: share(timesOf(seen.pages, at, at + STRETCH_MS), 0.99),
      success: share(timesOf(seen.successes, at, at + STRETCH_MS), 0.5),
    })
  return stretches
}

const highest = (values: number[]): number => Math.max(...values.filter((one) => !Number.isNaN(one)))

export const play = (measured: Measured, scenario: Scenario, seed = 1): Told => {
  const { name, layout, perSecond, fromS, toS, endS } = scenario
  const world = startWorld(measured, layout, (now) => perSecond(now / SECOND_MS), 0, seed)
  const { clock, shop, seen } = world
  const most = { calls: 0, statements: 0, receipts: 0 }
  let [polls, pollsPerSecond] = [0, 0]
  const look = () => {
    const sum = (of: (process: (typeof shop.processes)[number]) => number) =>
      shop.processes.reduce((all, one) => all + of(one), 0)
    most.calls = Math.max(
      most.calls,
      sum(({ thread }) => thread.turns.waiting),
    )
    most.statements = Math.max(
      most.statements,
      sum(({ pool }) => pool.waiting),
    )
    most.receipts = Math.max(most.receipts, shop.receiptsWaiting)
    pollsPerSecond = Math.max(pollsPerSecond, seen.polls - polls)
    polls = seen.polls
    clock.after(SECOND_MS, look)
  }
  look()
  clock.after(fromS * SECOND_MS, () => scenario.begin?.(world))
  clock.after(toS * SECOND_MS, () => scenario.end?.(world))
  clock.run(endS * SECOND_MS)

  const calm = stretchesOf(world, WARM_S * SECOND_MS, fromS * SECOND_MS)
  const before = {
    page: highest(calm.map(({ page }) => page)),
    success: highest(calm.map(({ success }) => success)),
  }
  const after = stretchesOf(world, fromS * SECOND_MS, endS * SECOND_MS)
  const isWell = ({ page, success }: Stretch) =>
    page <= Math.max(2 * before.page, 100) && success <= 1.25 * before.success
  const lastIll = after.findLast((one) => !isWell(one))
  const recoveredMs = lastIll ? lastIll.at + STRETCH_MS - toS * SECOND_MS : 0
  return {
    name,
    before,
    worst: {
      page: highest(after.map(({ page }) => page)),
      success: highest(after.map(({ success }) => success)),
    },
    pollsPerSecond,
    most,
    refused: shop.refused,
    lost: seen.lost,
    recoveredAfterS:
      lastIll && lastIll.at + STRETCH_MS >= endS * SECOND_MS
        ? undefined
        : Math.max(0, recoveredMs / SECOND_MS),
    receiptsLeft: shop.receiptsWaiting,
  }
}

/** How much worse the gateway is in a brown-out: its answers take so many times as long, and this share is lost. */
const BROWN_OUT = { slower: 20, lost: 0.3 } as const
const STALL_S = 30
/** A region's names lead elsewhere after a minute; half of those who could not buy meanwhile come again within so long. */
const NAMES_S = 60
const AGAIN_S = 20
const COME_AGAIN = 0.5
/** What a region is used to, of what it carries: so that two carry what three did. */
export const SPARE = 2 / 3

/**
 * What is played, on one machine whose files nginx serves, and on a region of three machines. `full`: the purchases a
 * second at which the one machine is busy all the time; `carries`: what is planned for each.
 */
export const scenarios = (
  measured: Measured,
  { full, carries }: { full: number; carries: { one: number; three: number } },
): Scenario[] => {
  const { oneWithFiles: one, three } = layouts(measured)
  const between = (atS: number, fromS: number, toS: number) => atS >= fromS && atS < toS
  return [
    {
      name: 'launch: from 10 % to 90 % of where it is full, for a minute',
      layout: one,
      perSecond: (atS) => full * (between(atS, 40, 100) ? 0.9 : 0.1),
      fromS: 40,
      toS: 100,
      endS: 180,
    },
    {
      name: 'launch: from 10 % to 200 %, for a minute',
      layout: one,
      perSecond: (atS) => full * (between(atS, 40, 100) ? 2 : 0.1),
      fromS: 40,
      toS: 100,
      endS: 300,
    },
    {
      name: `retry storm: the database is away for ${STALL_S} s`,
      layout: one,
      perSecond: () => carries.one,
      fromS: 40,
      toS: 40 + STALL_S,
      endS: 160,
      begin: ({ shop }) => shop.stall(STALL_S * SECOND_MS),
    },
    {
      name: 'gateway brown-out: twenty times slower, 30 % lost, for a minute',
      layout: one,
      perSecond: () => carries.one,
      fromS: 40,
      toS: 100,
      endS: 240,
      begin: ({ setWeather }) =>
        setWeather({
          answerMs: FAIR.answerMs * BROWN_OUT.slower,
          outcomeMs: FAIR.outcomeMs * BROWN_OUT.slower,
          lost: BROWN_OUT.lost,
        }),
      end: ({ setWeather }) => setWeather(FAIR),
    },
    {
      name: 'regional outage: one of three is lost, and half of its customers come to each of the others',
      layout: three,
      perSecond: (atS) => {
        const own = carries.three * SPARE
        const lost = own / 2
        const again = (lost * NAMES_S * COME_AGAIN) / AGAIN_S
        return own + (atS < 40 ? 0 : lost) + (between(atS, 40, 40 + AGAIN_S) ? again : 0)
      },
      fromS: 40,
      toS: 40 + AGAIN_S,
      endS: 120,
    },
  ]
}
