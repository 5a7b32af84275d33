import type { Chance } from '#testing/torture/chance.ts'
import { hangOff, hangOn } from '#testing/torture/faults.ts'
import { sleep } from '#testing/torture/shop-door.ts'
import type { World } from '#testing/torture/world.ts'

/** How far the checkouts are, from 0 to 1, and when the next payment is sent. */
export type Progress = { share: () => number; nextPress: () => Promise<void>; isOver: () => boolean }

export type Toll = { kills: number; restarts: number }

const BOTH = 0.1
const UP_TO_MS = 400

/** Waits for the run to come so far; should the customers stand still, it goes on all the same. */
const reached = async (progress: Progress, share: number): Promise<void> => {
  while (progress.share() < share && !progress.isOver()) await sleep(20)
}

/** Kills API processes at random moments soon after a payment was sent, spread evenly over the checkouts. */
export const reap = async (world: World, chance: Chance, progress: Progress, kills: number, toll: Toll) => {
  while (toll.kills < kills) {
    await reached(progress, (toll.kills - 1) / kills)
    await Promise.race([progress.nextPress(), sleep(1_000)])
    await sleep(chance.draw() * UP_TO_MS)
    const one = chance.below(2)
    const which = chance.is(BOTH) && toll.kills + 1 < kills ? [0, 1] : [one]
    await world.killApis(which)
    toll.kills += which.length
  }
}

/** Restarts PostgreSQL under them, in turn as a crash and in haste. */
export const shakeDatabase = async (
  world: World,
  chance: Chance,
  progress: Progress,
  restarts: number,
  toll: Toll,
) => {
  while (toll.restarts < restarts) {
    await reached(progress, (toll.restarts + 0.5) / restarts)
    await sleep(chance.draw() * UP_TO_MS)
    await world.restartPostgres(toll.restarts % 2 === 0 ? 'immediate' : 'fast')
    toll.restarts++
  }
}

/** When the gateway stops answering anyone, as shares of the checkouts, and for how long. */
const HANGS_AT = [0.3, 0.65]
const HANGS_MS = 8_000

/** Twice every call to the gateway hangs for some seconds. */
export const hangGateway = async ({ sandboxUrl }: World, progress: Progress): Promise<void> => {
  for (const share of HANGS_AT) {
    await reached(progress, share)
    await hangOn(sandboxUrl)
    await sleep(HANGS_MS)
    await hangOff(sandboxUrl)
  }
}
