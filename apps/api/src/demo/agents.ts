import { setTimeout as pause } from 'node:timers/promises'
import type { DemoAgent } from '#demo/places.ts'

const REPORT_EVERY_MS = 20_000

/** Asks for changes as an agent does, so that its node is up and all changes are taken for made; it makes none. */
const followChanges = async (shopUrl: string, { secret }: DemoAgent): Promise<never> => {
  let revision = 0
  for (;;) {
    const address = `${shopUrl}/api/v1/agent/changes?since=${revision}&wait=${revision === 0 ? 0 : 25}`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${secret}` } }).catch(
      () => undefined,
    )
    const changes = reply?.ok
      ? ((await reply.json()) as { revision: number; isForgotten: boolean })
      : undefined
    if (changes) revision = changes.isForgotten ? 0 : changes.revision
    else await pause(REPORT_EVERY_MS / 4)
  }
}

/** Speaks for the nodes for as long as this process lives. */
export const speakForNodes = (shopUrl: string, agents: readonly DemoAgent[]): void => {
  for (const agent of agents) void followChanges(shopUrl, agent)
}
