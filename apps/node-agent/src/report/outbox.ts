import { type AgentReport, REPORTED_AT_ONCE } from '@hedgerow/contract/agents'
import type { Log } from '#runtime/log.ts'
import { type ShopClient, ShopRefusal } from '#shop/shop-client.ts'
import type { DesiredState } from '#state/desired-state.ts'

type Parts = { shop: ShopClient; state: DesiredState; log: Log; signal: AbortSignal }

/** Reports that the shop has not accepted yet. Sent again as they are, since the shop counts a number once. */
export const createOutbox = ({ shop, state, log, signal }: Parts) => {
  let waiting: AgentReport[] = []
  return {
    isEmpty: () => waiting.length === 0,
    add: async ({ connected, usage, usedTwice, minutes }: Omit<AgentReport, 'number'>): Promise<void> => {
      const longest = Math.max(connected.length, usage.length, usedTwice.length, minutes.length)
      for (let i = 0; i < longest; i += REPORTED_AT_ONCE) {
        const part = [i, i + REPORTED_AT_ONCE] as const
        const number = await state.nextReport()
        waiting.push({
          number,
          connected: connected.slice(...part),
          usage: usage.slice(...part),
          usedTwice: usedTwice.slice(...part),
          minutes: minutes.slice(...part),
        })
      }
    },
    send: async (): Promise<void> => {
      for (let first = waiting[0]; first && !signal.aborted; first = waiting[0]) {
        try {
          await shop.report(first)
        } catch (error) {
          // What the shop will never take is not offered for ever.
          if (!(error instanceof ShopRefusal && error.status === 422)) throw error
          log.error({ err: error }, 'The shop did not accept a report')
        }
        waiting = waiting.slice(1)
      }
    },
  }
}
