import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

const aDecline = async (customer?: TestCustomer) => {
  const buyer = customer ?? (await aCustomer(shop))
  const order = await anOrder(shop, buyer)
  const paymentId = await startPayment(shop, buyer, order, { pan: CARDS.declined })
  await reached(shop, paymentId, 'Decline')
  return { customer: buyer, order, paymentId }
}

/** So many more like a payment, all begun at one moment. */
const copy = (paymentId: string, count: number, seconds: number) =>
  shop.db.transaction().execute(async (db) => {
    await sql`create temp table copies on commit drop as
      select payments.* from payments, generate_series(1, ${sql.lit(count)}) where id = ${sql.lit(paymentId)}`.execute(
      db,
    )
    await sql`update copies set id = md5(random()::text || ctid::text),
      created_at = created_at + make_interval(secs => ${seconds})`.execute(db)
    const { rows } = await sql<{ id: string }>`
      insert into payments select * from copies returning id`.execute(db)
    return rows.map(({ id }) => id)
  })

const list = (operator: TestOperator, query: Record<string, string>) =>
  ask(operator, 'GET', `/api/v1/payments?${new URLSearchParams(query)}`)

const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)

describe('the list of payments', () => {
  test.each(['createdAt', '-createdAt'])(
    'in the order %s shows none twice and leaves none out, though others begin meanwhile',
    async (sort) => {
      const viewer = await anOperator(shop.db, 'viewer')
      const { paymentId, customer } = await aDecline()
      const there = [paymentId, ...(await copy(paymentId, 11, 0)), ...(await copy(paymentId, 6, 1))]
      const seen: string[] = []
      let after: string | null = ''
      do {
        const query = { customerId: customer.id, sort, rows: '4', ...(after ? { after } : {}) }
        const { body, text } = await list(viewer, query)
        expect(body.rows?.length, text).toBeLessThanOrEqual(4)
        seen.push(...idsOf(body))
        after = body.next
        // Newer and older ones, and one in the midst of those that began at one moment.
        await copy(paymentId, 1, 60)
        await copy(paymentId, 1, -60)
      } while (after && seen.length < 60)
      expect(new Set(seen).size).toBe(seen.length)
      expect(there.filter((id) => !seen.includes(id))).toEqual([])
    },
  )

  test('is filtered by status, method, currency, sum, time, promocode and account', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const { paymentId, customer } = await aDecline()
    const { paymentId: paid } = await aPurchase(shop, {}, {}, customer)
    const own = { customerId: customer.id }
    const found = async (query: Record<string, string>) =>
      idsOf((await list(viewer, { ...own, ...query })).body).toSorted()
    const both = [paymentId, paid].toSorted()
    expect(await found({})).toEqual(both)
    expect(await found({ status: 'Decline' })).toEqual([paymentId])
    expect(await found({ status: 'Success', method: 'card', currency: 'EUR' })).toEqual([paid])
    expect(await found({ method: 'blik' })).toEqual([])
    expect(await found({ currency: 'GBP' })).toEqual([])
    expect(await found({ least: '3000', most: '3000' })).toEqual(both)
    expect(await found({ least: '3001' })).toEqual([])
    expect(await found({ promocode: 'NONESUCH' })).toEqual([])
    expect(await found({ until: new Date(Date.now() - 60_000).toISOString() })).toEqual([])
    expect(await found({ since: new Date(Date.now() - 600_000).toISOString() })).toEqual(both)
    expect(await found({ only: 'stuck' })).toEqual([])
  })

  test.each([
    ['status=Paid', 'status'],
    ['method=cash', 'method'],
    ['currency=eur', 'currency'],
    ['only=everything', 'only'],
    ['least=-1', 'least'],
    ['customerId=1', 'customerId'],
    ['since=today', 'since'],
    ['sort=customerId', 'sort'],
    ['rows=201', 'rows'],
  ])('refuses %s at its field', async (query, field) => {
    const viewer = await anOperator(shop.db, 'viewer')
    const { body } = await ask(viewer, 'GET', `/api/v1/payments?${query}`)
    expect(body).toMatchObject({ status: 422, errors: [{ path: field }] })
  })

  test.each([
    ['nothing of ours', 'x'],
    ['a time that is none', Buffer.from('["yesterday’s","1"]').toString('base64url')],
    ['a statement', Buffer.from(`["2026-01-01') or true --","1"]`).toString('base64url')],
    ['a time of no year', Buffer.from('["999999-01-01","1"]').toString('base64url')],
  ])('refuses to go on after %s', async (_, after) => {
    const viewer = await anOperator(shop.db, 'viewer')
    expectProblem(await list(viewer, { after }), 422)
  })
})

describe('the file of payments', () => {
  test('has the columns that were asked for, of what its filter finds', async () => {
    const finance = await anOperator(shop.db, 'finance')
    const { paymentId, customer } = await aDecline()
    const query = `customerId=${customer.id}&columns=charged,id,what,status`
    const { text, headers } = await ask(finance, 'GET', `/api/v1/payments.csv?${query}`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="payments.csv"')
    const [head, line, ...more] = text.split('\r\n')
    expect(head).toBe('charged,paymentId,For,Status')
    expect(line).toMatch(new RegExp(`^30\\.00,${paymentId},[^=+@-].*,Decline$`))
    expect(more).toEqual([''])
  })

  test('frees its connection when somebody hangs up: as many as there are can be broken off', async () => {
    const finance = await anOperator(shop.db, 'finance')
    const { paymentId, customer } = await aDecline()
    await copy(paymentId, 30_000, -86_400)
    for (let n = 0; n < 12; n++) {
      const hangUp = new AbortController()
      const asked = fetch(
        `${shop.settings.consoleUrl.replace('localhost', '127.0.0.1')}/api/v1/payments.csv`,
        {
          signal: hangUp.signal,
          headers: { cookie: `operator-session=${finance.session}` },
        },
      )
      const response = await asked
      const reader = response.body?.getReader()
      await reader?.read()
      hangUp.abort()
      await reader?.closed.catch(() => undefined)
    }
    const { text, status } = await ask(finance, 'GET', `/api/v1/payments.csv?customerId=${customer.id}`)
    expect(status).toBe(200)
    expect(text.split('\r\n')).toHaveLength(30_003)
  }, 60_000)

  test.each(['payments', 'orders'])(
    'of all %s is for those who may see what the shop earns',
    async (name) => {
      const support = await anOperator(shop.db, 'support')
      expectProblem(await ask(support, 'GET', `/api/v1/${name}.csv`), 403)
      expect((await ask(support, 'GET', `/api/v1/${name}`)).status).toBe(200)
    },
  )

  test('asks for no column that there is not', async () => {
    const finance = await anOperator(shop.db, 'finance')
    const reply = await ask(finance, 'GET', '/api/v1/payments.csv?columns=id,card')
    expect(expectProblem(reply, 422).body.detail).toMatch(/no column card/)
  })
})

describe('a payment', () => {
  test('is told from its beginning on, with its order and other attempts, and no more of the buyer than the account’s id', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const first = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    const second = await startPayment(shop, customer, order)
    await reached(shop, second, 'Success')
    const { body, text } = await ask(viewer, 'GET', `/api/v1/payments/${second}`)
    expect(body).toMatchObject({
      id: second,
      status: 'Success',
      customerId: customer.id,
      total: { minor: 3000, currency: 'EUR' },
      refunded: { minor: 0, currency: 'EUR' },
      left: { minor: 3000, currency: 'EUR' },
      order: { id: order.orderId, status: 'Completed' },
      activeConnections: 3,
      others: [{ id: first, status: 'Decline' }],
    })
    const steps = body.steps as { at: string; status: string }[]
    expect(steps.at(-1)).toMatchObject({ status: 'Success' })
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted())
    expect(new Set(steps.map(({ status }) => status)).size).toBeGreaterThan(1)
    for (const secret of [customer.email, customer.name, 'LOVELACE', CARDS.paid, '0077', '400000'])
      expect(text).not.toContain(secret)
  })

  test('that there is not is not found, whatever is asked of it', async () => {
    const owner = await anOperator(shop.db)
    const path = `/api/v1/payments/${'f'.repeat(32)}`
    expectProblem(await ask(owner, 'GET', path), 404)
    expectProblem(await ask(owner, 'GET', `${path}/comparison`), 404)
    expectProblem(await ask(owner, 'POST', `${path}/refund`, { body: {} }), 409)
    expectProblem(await ask(owner, 'GET', `${path}/cancellation`), 404)
    expectProblem(await ask(owner, 'POST', `${path}/cancellation`, { body: {} }), 404)
    expectProblem(await ask(owner, 'POST', `${path}/settlement`, { body: { as: 'decline' } }), 409)
    expectProblem(await ask(owner, 'GET', `/api/v1/orders/${randomUUID()}`), 404)
    for (const id of ['..%2f..', "'", '%00', 'x'.repeat(150)])
      expect((await ask(owner, 'GET', `/api/v1/payments/${id}`)).status).toBeGreaterThanOrEqual(400)
  })
})
