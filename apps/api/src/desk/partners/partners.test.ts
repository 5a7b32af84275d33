import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { anEarning, aPartner, setStanding } from '#testing/partners.ts'
import { aWithdrawal, requestPayout } from '#testing/withdrawals.ts'

const { shop, ask } = await consoleOfFile()

const list = (operator: TestOperator, query: Record<string, string> = {}) =>
  ask(operator, 'GET', `/api/v1/partners?${new URLSearchParams(query)}`)

describe('partners', () => {
  test('are listed the busiest first, a page at a time and as a file, without names', async () => {
    const finance = await anOperator(shop.db, 'finance')
    const [busy, calm] = [
      await aPartner(shop, { transactions: 40 }),
      await aPartner(shop, { transactions: 2 }),
    ]
    const { rows, next } = (await list(finance, { rows: '1' })).body
    expect(rows).toMatchObject([{ id: busy.id, promocode: busy.promocode, transactions: 40 }])
    const following = await list(finance, { rows: '1', after: next })
    expect(following.body.rows).toMatchObject([{ id: calm.id }])
    const file = await ask(finance, 'GET', '/api/v1/partners.csv?columns=transactions,promocode')
    expect(file.text.split('\r\n')).toEqual(
      expect.arrayContaining([`40,${busy.promocode}`, `2,${calm.promocode}`]),
    )
    for (const { email } of [busy, calm]) expect(file.text + following.text).not.toContain(email)
    const wrong = [
      ['sort', 'email'],
      ['rows', '201'],
      ['rows', '-1'],
      ['after', '__proto__'],
    ] as const
    for (const [name, value] of wrong) expectProblem(await list(finance, { [name]: value }), 422)
  })

  test('are shown with balances and movements, and no bank account', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const partner = await aPartner(shop)
    const paymentId = await anEarning(shop, partner.id, 30_000)
    await requestPayout(shop, partner, aWithdrawal())
    const { body, text } = await ask(viewer, 'GET', `/api/v1/partners/${partner.id}`)
    expect(body.balances).toContainEqual({
      currency: 'EUR',
      available: { minor: 5_000, currency: 'EUR' },
      pending: { minor: 0, currency: 'EUR' },
      requested: { minor: 25_000, currency: 'EUR' },
      paid: { minor: 0, currency: 'EUR' },
      owing: { minor: 0, currency: 'EUR' },
    })
    expect(body.movements.map(({ paymentId: id }: { paymentId: string | null }) => id)).toContain(paymentId)
    expect(body).toMatchObject({ promocode: partner.promocode, hasMore: false, rings: [] })
    for (const secret of [partner.email, 'DE89370400440532013000', '370400440532', 'Lovelace'])
      expect(text).not.toContain(secret)
  })

  test('are shown with level, payments that earned nothing and as many movements as asked for', async () => {
    const partner = await aPartner(shop)
    await setStanding(shop, partner, { transactions: 5 })
    await anEarning(shop, partner.id, 300)
    const finance = await anOperator(shop.db, 'finance')
    const shown = async (query = '') =>
      (await ask(finance, 'GET', `/api/v1/partners/${partner.id}${query}`)).body
    expect(await shown()).toMatchObject({
      level: 3,
      percentage: 20,
      next: { level: 4, transactions: 10 },
      uncredited: { ownCard: 0, smallSpend: 0 },
      movements: [
        { what: 'became available', sum: { minor: 300, currency: 'EUR' } },
        { what: 'earned by the link, 20%' },
      ],
      hasMore: false,
    })
    expect(await shown('?limit=1')).toMatchObject({
      movements: [{ what: 'became available' }],
      hasMore: true,
    })
    expectProblem(await ask(finance, 'GET', `/api/v1/partners/${partner.id}?limit=0`), 422)
  })

  test('are seen by those only who may, and there are no others', async () => {
    const { id } = await aPartner(shop)
    const servers = await anOperator(shop.db, 'servers')
    for (const path of ['partners', 'partners.csv', `partners/${id}`, 'rings'])
      expectProblem(await ask(servers, 'GET', `/api/v1/${path}`), 403)
    const owner = await anOperator(shop.db)
    for (const nobody of [randomUUID(), 'x', "'", '%00', 'x'.repeat(200)])
      expectProblem(await ask(owner, 'GET', `/api/v1/partners/${nobody}`), 404)
    const { id: customerId } = await aCustomer(shop)
    expect((await ask(owner, 'GET', `/api/v1/partners/${customerId}`)).status).toBeLessThan(500)
    expect((await ask(owner, 'GET', '/api/v1/rings')).body).toMatchObject({ rings: [], hasMore: false })
  })
})
