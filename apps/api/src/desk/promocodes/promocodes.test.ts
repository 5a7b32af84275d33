import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { CARDS, challengeOf, pay, startPayment } from '#testing/payments.ts'
import { buyWith, creditedTo } from '#testing/promocodes.ts'

const { shop, ask } = await consoleOfFile()

const manager = () => anOperator(shop.db, 'manager')

const one = async (operator: TestOperator, promocode: string) =>
  (await ask(operator, 'GET', `/api/v1/promocodes/${promocode}`)).body

type Act = 'limit' | 'unlimit' | 'close' | 'open'
const ACTS = {
  limit: ['POST', 'limit'],
  unlimit: ['DELETE', 'limit'],
  close: ['POST', 'closure'],
  open: ['DELETE', 'closure'],
} as const

const change = (operator: TestOperator, act: Act, promocode: string, body: object = {}) => {
  const [method, path] = ACTS[act]
  return ask(operator, method, `/api/v1/promocodes/${promocode}/${path}`, act === 'limit' ? { body } : {})
}

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
      percentage: 10,
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
    await change(await manager(), 'limit', promocode, { limit: 1 })
    const limited = await ask(viewer, 'GET', '/api/v1/promocodes?state=limited')
    expect(limited.text).toContain(promocode)
    expect((await ask(viewer, 'GET', '/api/v1/promocodes?state=closed')).text).not.toContain(promocode)
    expectProblem(await ask(viewer, 'GET', '/api/v1/promocodes?state=__proto__'), 422)
    expectProblem(await ask(viewer, 'GET', '/api/v1/promocodes.csv?columns=email'), 422)
  })

  test('is closed and opened once, whoever presses at once, and the shop goes by it', async () => {
    const [operator, other] = [await manager(), await manager()]
    const { promocode } = await aPartner(shop)
    expect((await enter(promocode)).status).toBe(200)
    const closed = await Promise.all([
      change(operator, 'close', promocode),
      change(other, 'close', promocode),
    ])
    expect(closed.map(({ body }) => body.isNew).toSorted()).toEqual([false, true])
    expect((await enter(promocode)).status).toBeGreaterThanOrEqual(400)
    expect(await one(operator, promocode)).toMatchObject({ closedAt: expect.any(String), usesToCome: 0 })
    expect((await change(operator, 'open', promocode)).body).toMatchObject({
      isNew: true,
      promocode: { promocode, closedAt: null },
    })
    expect((await enter(promocode)).status).toBe(200)
    const deeds = [...(await deedsOf(shop, operator)), ...(await deedsOf(shop, other))]
    expect(deeds.filter(({ command }) => command === 'promocode close')).toEqual(
      expect.arrayContaining(
        ['done', 'refused'].map((outcome) => ({
          command: 'promocode close',
          subject: promocode,
          outcome,
          arguments: { promocode },
        })),
      ),
    )
  })

  test('that is closed pays for nothing, whoever had it on an order before', async () => {
    const operator = await manager()
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { promocode })
    await change(operator, 'close', promocode)
    expect((await pay(shop, customer, order)).status).toBe(409)
    await change(operator, 'open', promocode)
    expect((await pay(shop, customer, order)).status).toBe(200)
  })

  test('says how many payments with it are under way', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { promocode })
    await challengeOf(shop, await startPayment(shop, customer, order, { pan: CARDS.challenged }))
    expect(await one(await manager(), promocode)).toMatchObject({ uses: 0, usesToCome: 1 })
  })

  test('is limited, and without a limit again', async () => {
    const operator = await manager()
    const { promocode } = await aPartner(shop)
    expect((await change(operator, 'limit', promocode.toLowerCase(), { limit: 0 })).body.isNew).toBe(true)
    expect((await enter(promocode)).status).toBeGreaterThanOrEqual(400)
    expect((await change(operator, 'limit', promocode, { limit: 0 })).body.isNew).toBe(false)
    expect((await change(operator, 'unlimit', promocode)).body).toMatchObject({
      isNew: true,
      promocode: { limit: null },
    })
    expect((await enter(promocode)).status).toBe(200)
  })

  test.each([-1, 0.5, 1e9, '5', null, {}])('is not limited to %j', async (limit) => {
    const operator = await manager()
    const { promocode } = await aPartner(shop)
    expect(
      messageFor(expectProblem(await change(operator, 'limit', promocode, { limit }), 422), 'limit'),
    ).toMatch(/./)
    expect(await one(operator, promocode)).toMatchObject({ limit: null })
  })

  test('is changed by those only who may, and that of nobody by none', async () => {
    const { promocode } = await aPartner(shop)
    for (const role of ['support', 'finance', 'servers', 'viewer'] as const)
      for (const act of ['limit', 'unlimit', 'close', 'open'] as const)
        expectProblem(await change(await anOperator(shop.db, role), act, promocode), 403)
    const operator = await manager()
    for (const nobodys of ['NONESUCH', 'constructor', "'", '%00', 'x'.repeat(33)]) {
      expectProblem(await change(operator, 'close', nobodys), 404)
      expectProblem(await ask(operator, 'GET', `/api/v1/promocodes/${nobodys}`), 404)
    }
  })
})
