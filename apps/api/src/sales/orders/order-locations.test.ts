import { randomUUID } from 'node:crypto'
import type { Connection } from '@hedgerow/contract/connections'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { Reply } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aLocation } from '#testing/locations.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder, anOrderBody, type Choice } from '#testing/orders.ts'
import {
  aCard,
  answerChallenge,
  CARDS,
  type CardForm,
  paidWhile,
  pay as pressPay,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const order = (shop: TestShop, { token }: TestCustomer, body: object) =>
  shop.call('POST', '/api/v1/orders', { token, body })
const shown = async (shop: TestShop, { token }: TestCustomer, orderId: string) =>
  (await shop.call('GET', `/api/v1/orders/${orderId}`, { token })).body

/** Orders, pays, and answers the order as its customer sees it then. */
type Made = Awaited<ReturnType<typeof anOrder>>

const pay = async (shop: TestShop, customer: TestCustomer, made: Made) => {
  await reached(shop, await startPayment(shop, customer, made), 'Success')
  return shown(shop, customer, made.orderId)
}

const buy = async (shop: TestShop, customer: TestCustomer, chosen: Partial<Choice>) =>
  pay(shop, customer, await anOrder(shop, customer, chosen))

const connectionsOf = async (shop: TestShop, { token }: TestCustomer): Promise<Connection[]> =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).body.connections

const namesOf = async (shop: TestShop, customer: TestCustomer): Promise<string[]> =>
  (await connectionsOf(shop, customer)).map(({ location }) => location.name)

/** Leaves so many addresses free. */
const leave = async (shop: TestShop, nodeId: string, count: number) => {
  await shop.db.deleteFrom('free_addresses').where('node_id', '=', nodeId).execute()
  await shop.db.updateTable('nodes').set({ filled_to: 65_534 }).where('id', '=', nodeId).execute()
  for (let position = 2; position < 2 + count; position++)
    await shop.db.insertInto('free_addresses').values({ node_id: nodeId, position }).execute()
}

const close = (shop: TestShop, nodeId: string) =>
  shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', nodeId).execute()

/** London, Amsterdam, and New York, of which the last has the least to do. */
const threePlaces = async (shop: TestShop) => {
  // The first: it is taken even where the shop counts anew meanwhile that none has anything to do.
  const newYork = await aLocation(shop, { name: 'New York', timeZone: 'America/New_York' })
  const london = await aLocation(shop, { name: 'London', timeZone: 'Europe/London' })
  const amsterdam = await aLocation(shop, { name: 'Amsterdam', timeZone: 'Europe/Amsterdam' })
  await shop.db.updateTable('nodes').set({ load: 10 }).where('id', 'in', [london, amsterdam]).execute()
  return { london, amsterdam, newYork }
}

describe('where an order’s connections are to be', () => {
  test('is chosen, kept by the order, and where they are made', async () => {
    const shop = await startTestShop()
    const { amsterdam } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer, { location: amsterdam })
    const place = { _id: amsterdam, name: 'Amsterdam', isChosen: true }
    expect((await shown(shop, customer, orderId)).location).toEqual(place)
    expect((await buy(shop, customer, { location: amsterdam.toUpperCase() })).location).toEqual(place)
    expect(await namesOf(shop, customer)).toEqual(Array(3).fill('Amsterdam'))
  })

  test('is the least loaded where nothing is said', async () => {
    const shop = await startTestShop()
    const { newYork } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer)
    expect(await shown(shop, customer, orderId)).not.toHaveProperty('location')
    expect((await buy(shop, customer, {})).location).toEqual({
      _id: newYork,
      name: 'New York',
      isChosen: false,
    })
  })

  test('is the nearest where the page says which that is, and then the nearest to it', async () => {
    const shop = await startTestShop()
    const { london } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    expect((await buy(shop, customer, { near: london })).location).toMatchObject({ name: 'London' })
    await leave(shop, london, 2)
    const { location } = await buy(shop, customer, { near: london })
    // London was not chosen: there is nothing to explain.
    expect(location).toMatchObject({ name: 'Amsterdam', isChosen: false })
    expect(location).not.toHaveProperty('insteadOf')
  })

  test('is written and delivered without the row of the node: a lock on it does not matter', async () => {
    const shop = await startTestShop()
    const { london } = await threePlaces(shop)
    // Its free list is there: to lengthen that takes the row.
    await leave(shop, london, 8)
    const customer = await aCustomer(shop)
    await shop.db.transaction().execute(async (trx) => {
      await trx.selectFrom('nodes').select('id').forUpdate().execute()
      expect((await buy(shop, customer, { location: london })).location).toMatchObject({ name: 'London' })
    })
  })

  test('is shared by two as near as each other by their load', async () => {
    const shop = await startTestShop()
    // The first, as New York is.
    await aLocation(shop, { name: 'London 2', timeZone: 'Europe/London' })
    const { london } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    expect((await buy(shop, customer, { near: london })).location.name).toBe('London 2')
  })

  test('a nearest that is gone refuses no order', async () => {
    const shop = await startTestShop()
    const { london } = await threePlaces(shop)
    await close(shop, london)
    const customer = await aCustomer(shop)
    for (const near of [london, randomUUID()])
      expect((await order(shop, customer, { ...anOrderBody(), near })).status).toBe(201)
  })

  test.each(['unknown', 'drained', 'down', 'for another plan', 'no id'])(
    'refuses one that is %s, by its field, and keeps nothing',
    async (fault) => {
      const shop = await startTestShop()
      await threePlaces(shop)
      const layer_id = (await shop.db.selectFrom('layers').select('id').executeTakeFirstOrThrow()).id
      const id = await aLocation(shop, { isUp: fault !== 'down', isOpen: fault !== 'drained' })
      if (fault === 'for another plan')
        await shop.db.updateTable('nodes').set({ layer_id }).where('id', '=', id).execute()
      const location = { unknown: randomUUID(), 'no id': 'London' }[fault] ?? id
      const customer = await aCustomer(shop)
      const reply = expectProblem(await order(shop, customer, { ...anOrderBody(), location }), 422)
      expect(messageFor(reply, 'location')).toBe(
        fault === 'no id' ? OUR_MESSAGES.location : OUR_MESSAGES.locationClosed,
      )
      const { body } = await shop.call('GET', '/api/v1/orders', { token: customer.token })
      expect(body).toEqual([])
    },
  )

  test('refuses one that has no room for all of them, and says which', async () => {
    const shop = await startTestShop()
    const { london } = await threePlaces(shop)
    await leave(shop, london, 3)
    const customer = await aCustomer(shop)
    const reply = expectProblem(
      await order(shop, customer, { ...anOrderBody({ connections: 4 }), location: london }),
      422,
    )
    expect(messageFor(reply, 'location')).toBe(OUR_MESSAGES.locationFull('London'))
    expect((await order(shop, customer, { ...anOrderBody(), location: london })).status).toBe(201)
  })

  test('counts only for those that are new: a renewal keeps its place', async () => {
    const shop = await startTestShop()
    const { london, amsterdam } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    await buy(shop, customer, { location: london })
    const renew = (await connectionsOf(shop, customer)).map(({ _id }) => _id)
    await leave(shop, amsterdam, 1)
    const only = await buy(shop, customer, { location: amsterdam, renew })
    expect(only).not.toHaveProperty('location')
    expect(await namesOf(shop, customer)).toEqual(Array(3).fill('London'))
    await buy(shop, customer, { location: amsterdam, renew, connections: 4 })
    expect((await namesOf(shop, customer)).sort()).toEqual(['Amsterdam', 'London', 'London', 'London'])
  })

  test('an order that an older process made is delivered as before', async () => {
    const shop = await startTestShop()
    await threePlaces(shop)
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer)
    await shop.db
      .updateTable('orders')
      .set({ location_id: null, location_is_chosen: false })
      .where('id', '=', made.orderId)
      .execute()
    await reached(shop, await startPayment(shop, customer, made), 'Success')
    expect(await namesOf(shop, customer)).toEqual(Array(3).fill('New York'))
  })
})

describe('an obfuscated place', () => {
  const oslo = (shop: TestShop) =>
    aLocation(shop, { name: 'Oslo', timeZone: 'Europe/Oslo', isObfuscated: true })

  test('is taken only where it was chosen, however near and idle it is', async () => {
    const shop = await startTestShop()
    const own = await oslo(shop)
    await threePlaces(shop)
    const customer = await aCustomer(shop)
    expect((await buy(shop, customer, {})).location.name).toBe('New York')
    expect((await buy(shop, customer, { near: own })).location.name).toBe('New York')
    expect((await buy(shop, customer, { location: own })).location).toMatchObject({ name: 'Oslo' })
  })

  test('is full: another such place serves before a plain one, and a plain one where there is none', async () => {
    const shop = await startTestShop()
    await threePlaces(shop)
    const own = await oslo(shop)
    const perth = await aLocation(shop, { name: 'Perth', timeZone: 'Australia/Perth', isObfuscated: true })
    const customer = await aCustomer(shop)
    const made = [0, 1].map(() => anOrder(shop, customer, { location: own }))
    const [first, second] = await Promise.all(made)
    await leave(shop, own, 0)
    expect((await pay(shop, customer, first as Made)).location.name).toBe('Perth')
    await leave(shop, perth, 0)
    expect((await pay(shop, customer, second as Made)).location.name).toBe('Amsterdam')
  })

  test('is the only one with room: an order that did not choose it is refused', async () => {
    const shop = await startTestShop()
    const own = await oslo(shop)
    const plain = await threePlaces(shop)
    for (const id of Object.values(plain)) await leave(shop, id, 0)
    await shop.db.updateTable('nodes').set({ is_open: false }).where('is_demonstration', '=', true).execute()
    const customer = await aCustomer(shop)
    expectProblem(await order(shop, customer, anOrderBody()), 422)
    expect((await buy(shop, customer, { location: own })).location.name).toBe('Oslo')
  })
})

describe('an order for which no place has room', () => {
  /** Only London, with so many free addresses. */
  const onlyLondon = async (shop: TestShop, free: number) => {
    const { london, amsterdam, newYork } = await threePlaces(shop)
    for (const id of [amsterdam, newYork]) await close(shop, id)
    await shop.db.updateTable('nodes').set({ is_open: false }).where('is_demonstration', '=', true).execute()
    await leave(shop, london, free)
    return london
  }

  const refusalOf = (reply: Reply) => messageFor(expectProblem(reply, 422), 'location')

  test.each(['all are drained', 'two addresses are free'])(
    'is refused where %s, and keeps nothing',
    async (fault) => {
      const shop = await startTestShop()
      const london = await onlyLondon(shop, fault === 'all are drained' ? 100 : 2)
      if (fault === 'all are drained') await close(shop, london)
      const customer = await aCustomer(shop)
      for (const chosen of [{}, { near: london }])
        expect(refusalOf(await order(shop, customer, { ...anOrderBody(), ...chosen }))).toBe(
          OUR_MESSAGES.noRoom(3),
        )
      expect((await shop.call('GET', '/api/v1/orders', { token: customer.token })).body).toEqual([])
      const plan = await sale(shop, customer, planFor('31 days'))
      expect(refusalOf(plan)).toBe(OUR_MESSAGES.noRoom(3))
      expect(shop.gateCalls).toEqual([])
    },
  )

  test('is refused again before it is paid, and can be paid once there is room', async () => {
    const shop = await startTestShop()
    const london = await onlyLondon(shop, 3)
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer)
    await leave(shop, london, 2)
    expect(refusalOf(await pressPay(shop, customer, made))).toBe(OUR_MESSAGES.noRoom(3))
    expect(shop.gateCalls).toEqual([])
    await leave(shop, london, 3)
    expect((await pay(shop, customer, made)).location).toMatchObject({ name: 'London' })
  })

  test('counts what was never put on the free list, and only places of the plan’s layer', async () => {
    const shop = await startTestShop()
    const london = await onlyLondon(shop, 2)
    const customer = await aCustomer(shop)
    await shop.db.updateTable('nodes').set({ filled_to: 65_533 }).where('id', '=', london).execute()
    await buy(shop, customer, {})
    await leave(shop, london, 100)
    const plan = planFor('31 days')
    const of = shop.db.selectFrom('plans').select('layer_id').where('id', '=', plan.id)
    const layers = await shop.db.selectFrom('layers').select('id').execute()
    const { layer_id } = await of.executeTakeFirstOrThrow()
    const other = layers.find(({ id }) => id !== layer_id)?.id ?? null
    const keepFor = (id: string | null) =>
      shop.db.updateTable('nodes').set({ layer_id: id }).where('id', '=', london).execute()
    await keepFor(other)
    expect(refusalOf(await sale(shop, customer, plan))).toBe(OUR_MESSAGES.noRoom(3))
    await keepFor(layer_id)
    expect((await sale(shop, customer, plan)).status).toBe(200)
  })

  test('is taken where it only extends', async () => {
    const shop = await startTestShop()
    const london = await onlyLondon(shop, 3)
    const customer = await aCustomer(shop)
    await buy(shop, customer, {})
    await close(shop, london)
    const renew = (await connectionsOf(shop, customer)).map(({ _id }) => _id)
    await buy(shop, customer, { renew })
    const more = await order(shop, customer, anOrderBody({ renew, connections: 4 }))
    expect(refusalOf(more)).toBe(OUR_MESSAGES.noRoom(1))
  })
})

describe('a place that filled up, or closed, after it was ordered', () => {
  const told = (location: string) => ({ name: 'Amsterdam', isChosen: true, insteadOf: location })

  test.each(['is full', 'is drained', 'is down'])(
    '%s: the nearest other serves, and the customer is told',
    async (fault) => {
      const shop = await startTestShop()
      const { london, amsterdam } = await threePlaces(shop)
      const customer = await aCustomer(shop)
      const made = await anOrder(shop, customer, { location: london })
      if (fault === 'is full') await leave(shop, london, 2)
      if (fault === 'is drained') await close(shop, london)
      if (fault === 'is down')
        await shop.db.updateTable('nodes').set({ seen_at: null }).where('id', '=', london).execute()
      await reached(shop, await startPayment(shop, customer, made), 'Success')
      const { location } = await shown(shop, customer, made.orderId)
      expect(location).toEqual({ _id: amsterdam, ...told('London') })
      const connections = await connectionsOf(shop, customer)
      expect(connections.map((one) => [one.location.name, one.insteadOf])).toEqual(
        Array(3).fill(['Amsterdam', 'London']),
      )
      const { text } = await mailbox(shop).latest(customer.email, 'Your receipt')
      expect(text).toContain('London was full, so your new connections are in Amsterdam.')
      const { json } = await runOps(opsSettings(shop), 'order', 'show', made.orderId, '--json')
      expect(json.location).toEqual({ name: 'Amsterdam', isChosen: true, insteadOf: 'London' })
    },
  )

  test('is said no more of a connection that was moved', async () => {
    const shop = await startTestShop()
    const { london, newYork } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer, { location: london })
    await close(shop, london)
    await reached(shop, await startPayment(shop, customer, made), 'Success')
    const [moved] = await connectionsOf(shop, customer)
    const { status } = await shop.call('POST', `/api/v1/connections/${moved?._id}/location`, {
      token: customer.token,
      body: { location: newYork },
    })
    expect(status).toBe(200)
    const said = (await connectionsOf(shop, customer)).map(({ insteadOf }) => insteadOf ?? null)
    expect(said.sort()).toEqual(['London', 'London', null].sort())
  })

  test('of two buyers who want the last addresses at once, one gets them and the other the next place', async () => {
    const shop = await startTestShop()
    const { london } = await threePlaces(shop)
    await leave(shop, london, 3)
    const customers = await Promise.all([aCustomer(shop), aCustomer(shop)])
    // Both are ordered while there is room: a location without any is refused to who orders.
    const made = await Promise.all(customers.map((customer) => anOrder(shop, customer, { location: london })))
    const bought = await Promise.all(
      customers.map((customer, which) => pay(shop, customer, made[which] as Made)),
    )
    expect(bought.map(({ location }) => location.name).sort()).toEqual(['Amsterdam', 'London'])
    const names = await Promise.all(customers.map((customer) => namesOf(shop, customer)))
    expect(names.flat().sort()).toEqual([...Array(3).fill('Amsterdam'), ...Array(3).fill('London')])
    const { count } = await shop.db
      .selectFrom('free_addresses')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('node_id', '=', london)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(0)
  })

  test('waits for room where there is none anywhere, and then begins with what was chosen', async () => {
    const shop = await startTestShop()
    const { london, amsterdam, newYork } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const made = await anOrder(shop, customer, { location: london })
    const closeAll = () => shop.db.updateTable('nodes').set({ is_open: false }).execute()
    await paidWhile(shop, customer, made, closeAll)
    expect(await connectionsOf(shop, customer)).toEqual([])
    await shop.db
      .updateTable('nodes')
      .set({ is_open: true })
      .where('id', 'in', [london, amsterdam, newYork])
      .execute()
    await hurry(shop, 'deliver-payment')
    await until(async () => (await connectionsOf(shop, customer)).length > 0)
    expect(await namesOf(shop, customer)).toEqual(Array(3).fill('London'))
    expect((await shown(shop, customer, made.orderId)).location).toMatchObject({ name: 'London' })
  })
})

describe('where a plan’s connections are to be', () => {
  const shop = shopOfFile()

  test('is said with the sale, and the last word counts', async () => {
    const { london, amsterdam } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const declined = await startSale(shop, customer, plan, { pan: CARDS.declined, location: london })
    await reached(shop, declined, 'Decline')
    const { metadata } = (await shop.call('GET', `/api/v1/payment/status/${declined}`)).body
    // Who tries again finds what they chose.
    expect(JSON.parse(metadata).again).toBe(`/payment/checkout/${plan.id}?location=${london}`)
    await reached(shop, await startSale(shop, customer, plan, { location: amsterdam }), 'Success')
    expect(new Set(await namesOf(shop, customer))).toEqual(new Set(['Amsterdam']))
  })

  test('stays what the payment under way was started with, whatever a press says that is refused', async () => {
    const shop = await startTestShop()
    const { london, amsterdam } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const press = (card: CardForm) => sale(shop, customer, plan, { purchaseId: randomUUID(), ...card })
    const { body } = await press({ pan: CARDS.challenged, location: london })
    await reached(shop, body._id, 'awaiting 3ds result')
    for (const other of [{ location: amsterdam }, { near: amsterdam }, {}]) {
      const refused = expectProblem(await press(other), 409)
      expect(refused.body.paymentId).toBe(body._id)
    }
    await answerChallenge(shop, body._id)
    await reached(shop, body._id, 'Success')
    expect(new Set(await namesOf(shop, customer))).toEqual(new Set(['London']))
  })

  test('is what each press says, however many come at once from different tabs', async () => {
    const shop = await startTestShop()
    const { london, amsterdam } = await threePlaces(shop)
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const chosen = { London: london, Amsterdam: amsterdam }
    const replies = await Promise.all(
      Object.entries(chosen).map(async ([name, location]) => ({
        name,
        ...(await sale(shop, customer, plan, { purchaseId: randomUUID(), location })),
      })),
    )
    const taken = replies.filter(({ status }) => status === 200)
    for (const { body } of taken) await reached(shop, body._id, 'Success')
    const names = await namesOf(shop, customer)
    expect(names).toHaveLength(3 * taken.length)
    expect(new Set(names)).toEqual(new Set(taken.map(({ name }) => name)))
  })

  test('may be on a node that is kept for the plan’s layer, and on no other layer’s', async () => {
    const plan = planFor('31 days')
    const layers = await shop.db.selectFrom('layers').select('id').execute()
    const { layer_id } = await shop.db
      .selectFrom('plans')
      .select('layer_id')
      .where('id', '=', plan.id)
      .executeTakeFirstOrThrow()
    const other = layers.find(({ id }) => id !== layer_id)?.id ?? null
    const own = await aLocation(shop, { name: 'Own' })
    const foreign = await aLocation(shop, { name: 'Foreign' })
    for (const [id, layer] of [[own, layer_id] as const, [foreign, other] as const])
      await shop.db.updateTable('nodes').set({ layer_id: layer }).where('id', '=', id).execute()
    const customer = await aCustomer(shop)
    const body = { id: plan.id, ...aCard(), location: foreign }
    const reply = expectProblem(
      await shop.call('POST', '/api/v1/payment/gate/sale', { token: customer.token, body }),
      422,
    )
    expect(messageFor(reply, 'location')).toBe(OUR_MESSAGES.locationClosed)
    await reached(shop, await startSale(shop, customer, plan, { location: own }), 'Success')
    expect(new Set(await namesOf(shop, customer))).toEqual(new Set(['Own']))
  })
})
