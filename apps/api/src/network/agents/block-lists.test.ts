import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { messageFor } from '@hedgerow/testing/problems'
import { expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { metric } from '#testing/metrics.ts'
import { aNode, type TestAgent } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrderBody, type Choice } from '#testing/orders.ts'
import { aPurchase } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const FULL = 'ads:120000,malicious:3000,family:9000'
const NO_ADS = 'ads:0,malicious:3000,family:9000'

/** What an agent says with each question. */
const tell = ({ call }: TestShop, { secret }: TestAgent, lists: string, times?: string) =>
  call('GET', `/api/v1/agent/changes?since=0&wait=0&lists=${lists}${times ? `&listTimes=${times}` : ''}`, {
    token: secret,
  })

const daysAgo = (days: number) => Math.round(Date.now() / 1000) - days * 86_400

const order = ({ call }: TestShop, { token }: TestCustomer, choice: Partial<Choice>) =>
  call('POST', '/api/v1/orders', { token, body: anOrderBody(choice) })

const ADS = { features: { feature2: true } }
const locationOf = async (shop: TestShop, id: string) =>
  (await shop.call('GET', '/api/v1/locations')).body.find(({ _id }: { _id: string }) => _id === id)

test('a node without a list sells no filter by it, and one that has it is taken first', async () => {
  const shop = await startTestShop()
  const customer = await aCustomer(shop)
  const bare = await aNode(shop, { name: 'Bare' })
  await tell(shop, bare, NO_ADS)
  const nowhere = await order(shop, customer, ADS)
  expect([nowhere.status, messageFor(nowhere, 'features')]).toEqual([
    422,
    OUR_MESSAGES.filterNowhere(['Advertisement filter']),
  ])
  expect((await order(shop, customer, { features: { feature3: true } })).status).toBe(201)
  const full = await aNode(shop, { name: 'Full' })
  await tell(shop, full, FULL)
  await shop.db.updateTable('nodes').set({ load: 100 }).where('id', '=', full.node.id).execute()
  const there = await order(shop, customer, { ...ADS, location: bare.node.id })
  expect(messageFor(there, 'location')).toBe(OUR_MESSAGES.filterElsewhere('Bare', ['Advertisement filter']))
  const { paymentId } = await aPurchase(shop, ADS)
  const made = await shop.db
    .selectFrom('peers')
    .innerJoin('connections', 'connections.id', 'peers.connection_id')
    .select('node_id')
    .where('connections.payment_id', '=', paymentId)
    .execute()
  expect(made.map(({ node_id }) => node_id)).toEqual(Array(3).fill(full.node.id))
  expect(await locationOf(shop, bare.node.id)).toMatchObject({ without: ['feature2'] })
})

test('a node that has not said what lists it has sells every filter, as an older agent does', async () => {
  const shop = await startTestShop()
  const customer = await aCustomer(shop)
  expect((await order(shop, customer, ADS)).status).toBe(201)
  await aNode(shop)
  expect((await order(shop, customer, ADS)).status).toBe(201)
})

test('the operator sees how many names each list of a node has', async () => {
  const shop = await startTestShop()
  const agent = await aNode(shop, { name: 'Bare' })
  await tell(shop, agent, `${NO_ADS},unknown:7`)
  expect(await metric(shop, 'hedgerow_node_list_names', { node: 'Bare', list: 'ads' })).toBe(0)
  expect(await metric(shop, 'hedgerow_node_list_names', { node: 'Bare', list: 'unknown' })).toBeUndefined()
  // Nobody there has bought what it does not do.
  expect(await metric(shop, 'hedgerow_node_list_missed', { node: 'Bare', list: 'ads' })).toBe(0)
  const { out } = await runOps(opsSettings(shop), 'node', 'show', 'Bare')
  expect(out).toMatch(/\nLists +ads 0, /)
})

test('a list that could not be replaced for weeks is shown to the operator, until it is replaced', async () => {
  const shop = await startTestShop()
  const agent = await aNode(shop, { name: 'Late' })
  const age = (list: string) => metric(shop, 'hedgerow_node_list_age_seconds', { node: 'Late', list })
  const waiting = async () => (await runOps(opsSettings(shop), 'overview')).out
  await tell(shop, agent, FULL, `ads:${daysAgo(20)},malicious:${daysAgo(13)}`)
  expect(await age('ads')).toBeGreaterThan(19.9 * 86_400)
  expect(await age('malicious')).toBeLessThan(14 * 86_400)
  // It is not fetched: it is as its operator wants it.
  expect(await age('family')).toBeUndefined()
  expect((await runOps(opsSettings(shop), 'node', 'show', 'Late')).out).toMatch(
    /\nLists +ads 120000, (.*\n)*Old lists +ads\n/,
  )
  expect(await waiting()).toContain('1 node has an old block list')
  await tell(shop, agent, FULL, `ads:${daysAgo(0)}`)
  expect(await waiting()).not.toContain('old block list')
})

test('an agent that says something unreadable of its lists is refused, and heard again', async () => {
  const shop = await startTestShop()
  const agent = await aNode(shop)
  for (const lists of ['ads:-1', 'ads', `ads:${'9'.repeat(12)}`, 'ads:1;drop', 'a:1,'.repeat(99)])
    expect((await tell(shop, agent, lists)).status, lists).toBe(422)
  for (const times of ['ads:-1', 'ads', 'ads:1e9', `ads:${'9'.repeat(12)}`])
    expect((await tell(shop, agent, FULL, times)).status, times).toBe(422)
  expect((await tell(shop, agent, FULL)).status).toBe(200)
})
