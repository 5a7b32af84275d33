import { createDraws, type Draws } from '#faults/draws.ts'
import { changeFaults, type Faults, NO_FAULTS, type ShareName, shareOf } from '#faults/faults.ts'

/** Decides what goes wrong, and counts it. */
export type FaultInjector = {
  readonly switches: Readonly<Faults>
  readonly draws: Draws
  /** How often each fault has struck. */
  readonly struck: ReadonlyMap<string, number>
  /** Takes over what is named; returns the name of a wrong one and then changes nothing. */
  change(changes: object): string | undefined
  count(name: string): void
  /** Whether a fault that belongs to the whole payment strikes this one. */
  strikesPayment(paymentId: string, fault: ShareName): boolean
}

export const createFaultInjector = (): FaultInjector => {
  const switches: Faults = { ...NO_FAULTS }
  const draws = createDraws()
  const struck = new Map<string, number>()
  return {
    switches,
    draws,
    struck,
    change: (changes) => {
      const wrong = changeFaults(switches, changes)
      // Naming a seed, the same one included, starts its run from the beginning.
      if (!wrong && 'seed' in changes) draws.reseed(switches.seed)
      return wrong
    },
    count: (name) => {
      struck.set(name, (struck.get(name) ?? 0) + 1)
    },
    strikesPayment: (paymentId, fault) => draws.forPayment(paymentId)(fault) < shareOf(switches[fault]),
  }
}
