import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'
import { aPartner } from '#testing/partners.ts'
import { buyWith, creditedTo } from '#testing/promocodes.ts'

const { shop, ask } = await consoleOfFile()

const manager = () => anOperator(shop.db, 'manager')

const one = async (operator: TestOperator, promocode: string) =>
  (await ask(operator, 'GET', `/api/v1/promocodes/${promocode}`)).body

const set = (operator: TestOperator, promocode: string, body: object) =>
  ask(operator, 'POST', `/api/v1/promocodes/${promocode}`, { body })

/** What the shop says of it to somebody at the checkout. */
const enter = async (promocode: string) => {
  const { token } = await aCustomer(shop)
  return shop.call('POST', '/api/v1/partnership/promocode', { token, body: { promocode } })
}

describe('a promocode', () => {
  test('is listed with its uses, filtered, and as a file, without its partner’s name or address', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const partner = await aPartner(shop)
    const { promocode, id: partnerId } = partner
    const { paymentId } = await buyWith(shop, partner)
    await creditedTo(shop, paymentId)
    const { body, text } = await ask(viewer, 'GET', '/api/v1/promocodes?sort=-uses')
    expect(body.rows).toContainEqual({
      promocode,
      partnerId,
      percentage: 15,
      uses: 1,
      limit: null,
      closedAt: null,
    })
    const file = await ask(viewer, 'GET', '/api/v1/promocodes.csv?columns=promocode,uses,limit')
    expect(file.text).toContain(`\r\n${promocode},1,\r\n`)
    for (const told of [text, file.text]) {
      expect(told).not.toContain(partner.email)
      expect(told).not.toContain(partner.name)
    }
    await set(await manager(), promocode, { limit: 1 })
    const limited = await ask(viewer, 'GET', '/api/v1/promocodes?state=limited')
    expect(limited.text).toContain(promocode)
    expect((await ask(viewer, 'GET', '/api/v1/promocodes?state=closed')).text).not.toContain(promocode)
    expectProblem(await ask(viewer, 'GET', '/api/v1/promocodes?state=__proto__'), 422)
    expectProblem(await ask(viewer, 'GET', '/api/v1/promocodes.csv?columns=email'), 422)
  })

  test('is closed and opened once, whoever presses at once, and the shop goes by it', async () => {
    const operator = await manager()
    const { promocode } = await aPartner(shop)
    expect((await enter(promocode)).status).toBe(200)
    const closed = await Promise.all([
      set(operator, promocode, { isClosed: true }),
      set(await manager(), promocode, { isClosed: true }),
    ])
    expect(closed.map(({ body }) => body.isChanged).toSorted()).toEqual([false, true])
    expect((await enter(promocode)).status).toBeGreaterThanOrEqual(400)
    expect(await one(operator, promocode)).toMatchObject({ closedAt: expect.any(String), usesToCome: 0 })
    expect((await set(operator, promocode, { isClosed: false })).body).toEqual({ isChanged: true })
    expect((await enter(promocode)).status).toBe(200)
    expect(await deedsOf(shop, operator)).toContainEqual({
      command: 'promocode set',
      subject: promocode,
      outcome: 'done',
      arguments: { promocode, isClosed: true },
    })
  })

  test('is limited, and without a limit again', async () => {
    const operator = await manager()
    const { promocode } = await aPartner(shop)
    expect((await set(operator, promocode.toLowerCase(), { limit: 0 })).body).toEqual({ isChanged: true })
    expect((await enter(promocode)).status).toBeGreaterThanOrEqual(400)
    expect((await set(operator, promocode, { limit: 0 })).body).toEqual({ isChanged: false })
    expect((await set(operator, promocode, {})).body).toEqual({ isChanged: false })
    expect((await set(operator, promocode, { limit: null })).body).toEqual({ isChanged: true })
    expect((await enter(promocode)).status).toBe(200)
  })

  test.each([-1, 0.5, 1e9, '5', {}])('is not limited to %j', async (limit) => {
    const operator = await manager()
    const { promocode } = await aPartner(shop)
    expect(messageFor(expectProblem(await set(operator, promocode, { limit }), 422), 'limit')).toMatch(/./)
    expect(await one(operator, promocode)).toMatchObject({ limit: null })
  })

  test('is changed by those only who may, and that of nobody by none', async () => {
    const { promocode } = await aPartner(shop)
    for (const role of ['support', 'finance', 'servers', 'viewer'] as const)
      expectProblem(await set(await anOperator(shop.db, role), promocode, { isClosed: true }), 403)
    const operator = await manager()
    for (const nobodys of ['NONESUCH', 'constructor', "'", '%00', 'x'.repeat(33)]) {
      expectProblem(await set(operator, nobodys, { isClosed: true }), 404)
      expectProblem(await ask(operator, 'GET', `/api/v1/promocodes/${nobodys}`), 404)
    }
  })
})
