import { runningVersion } from '@hedgerow/settings/running-version'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listOpenNodes } from '#network/nodes/capacity.queries.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { getNodeReport, stateOf } from '#network/nodes/nodes.service.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { OBFUSCATION } from '#testing/locations.ts'
import { aNode, type TestAgent } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile, type TestShop } from '#testing/test-shop.ts'

const NO_PAGES = 'A page over IPv4 cannot be reached through the tunnel.'
const NO_NAMES = 'The resolver does not work.'

const shop = shopOfFile()

const say = (
  { call }: TestShop,
  { secret }: TestAgent,
  faults?: string,
  version = runningVersion().version,
  obfuscation?: string,
) => {
  const query = new URLSearchParams({
    since: '0',
    wait: '0',
    version,
    ...(faults === undefined ? {} : { faults }),
    ...(obfuscation === undefined ? {} : { obfuscation }),
  })
  return call('GET', `/api/v1/agent/changes?${query}`, { token: secret })
}

/** Whether a purchase may go there. */
const isSold = async ({ db }: TestShop, { node }: TestAgent): Promise<boolean> =>
  (await listOpenNodes(db, null, 0)).some(({ id }) => id === node.id)

const reportOf = async ({ db }: TestShop, { node }: TestAgent) => {
  const row = await getNodeReport({ db }, node.name)
  if (!row) throw new Error('The node is gone')
  return { state: stateOf(row), faults: row.faults }
}

test('a node whose agent names a fault is not sold and counts as down until all works', async () => {
  const agent = await aNode(shop)
  await say(shop, agent, '')
  expect([await isSold(shop, agent), (await reportOf(shop, agent)).state]).toEqual([true, 'up'])
  await say(shop, agent, `${NO_PAGES}\n${NO_NAMES}`)
  expect(await isSold(shop, agent)).toBe(false)
  expect(await reportOf(shop, agent)).toEqual({ state: 'failing', faults: `${NO_PAGES}\n${NO_NAMES}` })
  const { out } = await runOps(opsSettings(shop), 'node', 'show', agent.node.name)
  expect(out).toMatch(new RegExp(`Does not work +${NO_PAGES}`))
  const stateShown = async () =>
    (await shop.call('GET', '/api/v1/status')).body.places.find(
      ({ name }: { name: string }) => name === agent.node.name,
    )?.state
  await until(async () => ['down', 'unknown'].includes(await stateShown()))
  await say(shop, agent, '')
  expect([await isSold(shop, agent), (await reportOf(shop, agent)).state]).toEqual([true, 'up'])
})

test('an agent that has just started and has not looked yet is believed as before; another version is not held to it', async () => {
  const agent = await aNode(shop)
  await say(shop, agent, NO_NAMES)
  await say(shop, agent)
  expect((await reportOf(shop, agent)).faults).toBe(NO_NAMES)
  await say(shop, agent, undefined, '0.9.0')
  expect((await reportOf(shop, agent)).faults).toBeNull()
})

test('an obfuscated node whose agent is too old for that is not sold, and says why, until it is brought up to date', async () => {
  const agent = await aNode(shop, { obfuscation: OBFUSCATION })
  await say(shop, agent, '', '0.9.0')
  const { state, faults } = await reportOf(shop, agent)
  expect([await isSold(shop, agent), state]).toEqual([false, 'failing'])
  expect(faults).toMatch(/its agent is too old for that.*Bring the agent up to date/)
  await say(shop, agent, '', undefined, '2,3')
  expect([await isSold(shop, agent), (await reportOf(shop, agent)).state]).toEqual([true, 'up'])
  await say(shop, agent, '', undefined, '3')
  expect(await isSold(shop, agent)).toBe(false)
})

test('a silent node is not sold either, unless the shop itself was away', async () => {
  const agent = await aNode(shop)
  await shop.db
    .updateTable('nodes')
    .set({ seen_at: sql<Date>`now() - interval '1 hour'` })
    .where('id', '=', agent.node.id)
    .execute()
  await shop.db
    .updateTable('node_watch')
    .set({ watched_since: sql<Date>`now() - interval '1 day'` })
    .execute()
  expect(await isSold(shop, agent)).toBe(false)
  await shop.db.updateTable('node_watch').set({ watched_since: sql<Date>`now()` }).execute()
  expect(await isSold(shop, agent)).toBe(true)
})

test('the operator is mailed once with the sentences, and once when it is well', async () => {
  const agent = await aNode(shop)
  const { name } = agent.node
  await say(shop, agent, NO_PAGES)
  await maintainNodes(shop)
  await shop.db
    .updateTable('nodes')
    .set({ faults_since: sql<Date>`now() - interval '6 minutes'` })
    .where('id', '=', agent.node.id)
    .execute()
  await shop.db
    .updateTable('node_watch')
    .set({ looked_at: sql<Date>`now()`, watched_since: sql<Date>`now() - interval '1 day'` })
    .execute()
  const failing = `The node ${name} is not serving its customers`
  const mails = (subject: string) => mailbox(shop).list('operator@hedgerow.example', subject)
  await maintainNodes(shop)
  await queueIsEmpty(shop)
  await maintainNodes(shop)
  await queueIsEmpty(shop)
  expect(await mails(failing)).toHaveLength(1)
  expect((await mailbox(shop).latest('operator@hedgerow.example', failing)).text).toContain(NO_PAGES)
  await say(shop, agent, '')
  await maintainNodes(shop)
  await queueIsEmpty(shop)
  expect(await mails(`The node ${name} is back`)).toHaveLength(1)
})

test('sentences that are too long or no plain text are refused and change nothing', async () => {
  const agent = await aNode(shop)
  for (const text of ['x'.repeat(1_501), 'a\u0000b', 'a\u001b[31mb'])
    expect((await say(shop, agent, text)).status).toBe(422)
  expect((await reportOf(shop, agent)).faults).toBeNull()
})
