import { DAY_MS } from '@hedgerow/domain/dates'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { deedsOf } from '#testing/operators.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

const aConnection = async () => {
  const { paymentId, customer } = await aPurchase(shop, { days: 30 })
  const [connection] = await connectionsOf(shop, paymentId)
  if (!connection) throw new Error('Nothing was bought')
  return { id: connection.id, paymentId, customer }
}

const give = (operator: TestOperator, id: string, body: object) =>
  ask(operator, 'POST', `/api/v1/connections/${id}/days`, { body: { because: 'outage', ...body } })

const rowOf = (id: string) =>
  shop.db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const endOf = async (id: string) => (await rowOf(id)).expires_at?.getTime() ?? 0
const givenTo = (id: string) =>
  shop.db.selectFrom('goodwill_days').selectAll().where('connection_id', '=', id).execute()

describe('days given to a connection', () => {
  test('move its end, and are seen by operators and its customer', async () => {
    const support = await anOperator(shop.db, 'support')
    const { id, customer } = await aConnection()
    const before = await endOf(id)
    const { body, status } = await give(support, id, { days: 3 })
    expect(status).toBe(200)
    expect(new Date(body.expiresAt).getTime()).toBe(before + 3 * DAY_MS)
    expect(await endOf(id)).toBe(before + 3 * DAY_MS)
    const { body: page } = await ask(support, 'GET', `/api/v1/connections/${id}`)
    expect(page.given).toMatchObject([{ days: 3, reason: 'An outage', by: support.name }])
    const { body: connections } = await shop.call('GET', '/api/v1/connections', { token: customer.token })
    const own = connections.find(({ _id }: { _id: string }) => _id === id)
    expect(own.givenDays).toEqual([{ days: 3, at: expect.stringMatching(/Z$/) }])
    expect(await deedsOf(shop, support)).toMatchObject([
      { command: 'connection extend', subject: id, outcome: 'done', arguments: { because: 'outage' } },
    ])
  })

  test('are given once, by five at once and by a repeat, unless more are meant', async () => {
    const { id } = await aConnection()
    const before = await endOf(id)
    const managers = await Promise.all([1, 2, 3, 4, 5].map(() => anOperator(shop.db, 'manager')))
    const replies = await Promise.all(managers.map((one) => give(one, id, { days: 5 })))
    expect(replies.filter(({ body }) => body.isNew === false)).toHaveLength(4)
    expect(await givenTo(id)).toHaveLength(1)
    const [manager] = managers as [TestOperator]
    expect((await give(manager, id, { days: 5 })).body.isNew).toBe(false)
    // The record does not say of a repeat that days were added.
    expect((await deedsOf(shop, manager)).at(-1)?.outcome).toBe('refused')
    expect((await give(manager, id, { days: 5, isAgain: true })).body.isNew).toBe(true)
    expect(await endOf(id)).toBe(before + 10 * DAY_MS)
  })

  test('are bounded by role and connection', async () => {
    const [support, manager] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'manager')]
    const { id } = await aConnection()
    expect((await give(support, id, { days: 8 })).text).toContain('at most 7 more days')
    expect((await give(support, id, { days: 5 })).status).toBe(200)
    expect((await give(support, id, { days: 3 })).text).toContain('at most 2 more days')
    expect((await give(manager, id, { days: 26 })).status).toBe(200)
    expect((await give(manager, id, { days: 1 })).text).toContain('as many days as you may give it')
    for (const days of [0, -1, 32, 1.5]) expect((await give(manager, id, { days })).status).toBe(422)
    expect(await givenTo(id)).toHaveLength(2)
  })

  test('take the permission, a person, and a connection with an end that a node keeps', async () => {
    const [support, finance] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'finance')]
    const { id } = await aConnection()
    expectProblem(await give(finance, id, { days: 1 }), 403)
    expectProblem(await give(support, '00000000-0000-4000-8000-000000000000', { days: 1 }), 404)
    const owner = await anOperator(shop.db)
    expect((await ask(owner, 'POST', `/api/v1/connections/${id}/revocation`)).status).toBe(200)
    expectProblem(await give(support, id, { days: 1 }), 409)
    const { id: other } = await aConnection()
    await shop.db.updateTable('connections').set({ expires_at: null }).where('id', '=', other).execute()
    expectProblem(await give(support, other, { days: 1 }), 409)
    expect(await givenTo(id)).toEqual([])
  })

  test('begin now where the connection has ended', async () => {
    const support = await anOperator(shop.db, 'support')
    const { id } = await aConnection()
    await shop.db
      .updateTable('connections')
      .set({ expires_at: new Date(Date.now() - DAY_MS) })
      .where('id', '=', id)
      .execute()
    await give(support, id, { days: 2 })
    expect(Math.abs((await endOf(id)) - Date.now() - 2 * DAY_MS)).toBeLessThan(60_000)
  })

  test('go with the last payment, and stay while another stands', async () => {
    const owner = await anOperator(shop.db)
    const { id, paymentId } = await aConnection()
    await give(owner, id, { days: 7 })
    const refund = await ask(owner, 'POST', `/api/v1/payments/${paymentId}/refund`, { body: {} })
    expect(refund.status, refund.text).toBe(200)
    await until(async () => (await endOf(id)) <= Date.now())
  })
})
