import { setTimeout as pause } from 'node:timers/promises'
import { runningVersion } from '@hedgerow/settings/running-version'
import type { DemoAgent } from '#demo/places.ts'

const WAIT_S = 25
const PAUSE_MS = 5_000

const { version } = runningVersion()

type Changes = { revision: number; isForgotten: boolean }

/** Undefined: the shop is away, or is stopping. */
const ask = (shopUrl: string, secret: string, since: number): Promise<Changes | undefined> =>
  fetch(
    `${shopUrl}/api/v1/agent/changes?since=${since}&wait=${since === 0 ? 0 : WAIT_S}&version=${version}`,
    {
      headers: { authorization: `Bearer ${secret}` },
    },
  ).then(
    (reply) => (reply.ok ? (reply.json() as Promise<Changes>).catch(() => undefined) : undefined),
    () => undefined,
  )

/** Asks for changes as an agent does, so that its node is up and all changes are taken for made; it makes none. */
const followChanges = async (shopUrl: string, { secret }: DemoAgent): Promise<never> => {
  let revision = 0
  for (;;) {
    const changes = await ask(shopUrl, secret, revision)
    if (changes) revision = changes.isForgotten ? 0 : changes.revision
    if (!changes || changes.isForgotten || revision === 0) await pause(PAUSE_MS)
  }
}

/** Speaks for the nodes for as long as this process lives. */
export const speakForNodes = (shopUrl: string, agents: readonly DemoAgent[]): void => {
  for (const agent of agents) void followChanges(shopUrl, agent)
}
