import { setTimeout as pause } from 'node:timers/promises'
import { runningVersion } from '@hedgerow/settings/running-version'
import { minuteOf } from '#demo/node-minutes.ts'
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

const MINUTE_MS = 60_000

/** Says of each minute that is over what an agent would have counted. */
const reportMinutes = async (
  shopUrl: string,
  { name, secret, connections = 0 }: DemoAgent,
): Promise<never> => {
  for (;;) {
    await pause(MINUTE_MS - (Date.now() % MINUTE_MS) + PAUSE_MS)
    const minute = minuteOf(name, connections, Math.floor(Date.now() / MINUTE_MS) - 1)
    await fetch(`${shopUrl}/api/v1/agent/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ number: Date.now(), connected: [], usage: [], minutes: minute ? [minute] : [] }),
    }).catch(() => undefined)
  }
}

/** Speaks for the nodes for as long as this process lives. */
export const speakForNodes = (shopUrl: string, agents: readonly DemoAgent[]): void => {
  for (const agent of agents) {
    void followChanges(shopUrl, agent)
    void reportMinutes(shopUrl, agent)
  }
}
