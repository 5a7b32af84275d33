import { expect, test } from 'vitest'
import { CREDENTIALS, type Credential, EVENTS_OF } from '#people/credentials/credentials.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { type AnnouncedNode, aNode, anEnrolment, announceNode } from '#testing/nodes.ts'

const { shop, ask } = await consoleOfFile()

const EVENTS: Readonly<Record<(typeof EVENTS_OF.node)[number], readonly [string, string]>> = {
  'enrolled anew': ['POST', '/token'],
  removed: ['DELETE', ''],
}

type Opens = () => Promise<boolean>

/** By name, each on a node of its own. */
const HELD: Readonly<Record<string, () => Promise<{ node: AnnouncedNode; opens: Opens }>>> = {
  'enrolment token': async () => {
    const node = await announceNode(shop)
    const body = anEnrolment(node.token)
    return {
      node,
      opens: async () => (await shop.call('POST', '/api/v1/agent/enrolments', { body })).status === 200,
    }
  },
  'agent’s secret': async () => {
    const { node, ask } = await aNode(shop)
    return { node, opens: async () => (await ask(0)).status === 200 }
  },
}

const ofNodes = CREDENTIALS.filter(({ holder }) => holder === 'node') as Credential<'node'>[]
const pairs = EVENTS_OF.node.flatMap((event) =>
  ofNodes.map(({ name, events }) => [event, name, events[event]] as const),
)

test.each(pairs)('%s: %s – %s', async (event, name, fate) => {
  const { node, opens } = await (HELD[name] as (typeof HELD)[string])()
  const [method, path] = EVENTS[event]
  const { status } = await ask(await anOperator(shop.db), method, `/api/v1/nodes/${node.name}${path}`)
  expect(status).toBeLessThan(300)
  expect(await opens()).toBe(fate === 'stays')
})
