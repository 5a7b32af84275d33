import { randomUUID } from 'node:crypto'
import { DAY_MS, dayAfter, londonPeriods } from '@hedgerow/domain/dates'
import { mayRole, OPERATOR_ROLES, type OperatorRole } from '@hedgerow/domain/operator-roles'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { seedDemonstrationSterling } from '#sales/invoices/sterling.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { aPurchase } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile({ env: { SMTP_ALLOW_PLAINTEXT: 'on' } })

let customer: TestCustomer

const paidAt = (paymentId: string, at: Date) =>
  sql`update payments set created_at = ${at}, ended_at = ${at} where id = ${paymentId}`.execute(shop.db)

/** A moment after the day of London has begun, so many days ago: before this time of the day at any hour. */
const begun = (daysAgo: number) => new Date(dayAfter(new Date(), -daysAgo).getTime() + 1)

const eur = (minor: number) => ({ minor, currency: 'EUR' })

beforeAll(async () => {
  customer = await aCustomer(shop)
  const buy = async (at: Date, choice = {}) => {
    const { paymentId } = await aPurchase(shop, choice, {}, customer)
    await paidAt(paymentId, at)
    return paymentId
  }
  const first = await buy(begun(0))
  await buy(begun(0), { currency: 'GBP' })
  await buy(begun(1))
  // Late last evening: not up to this time of the day, unless it is as late.
  await buy(new Date(dayAfter(new Date(), 0).getTime() - 1))
  await buy(begun(7))
  await buy(begun(7))
  await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
    values (${randomUUID()}, ${first}, 300, 'operator', 'Success', ${begun(0)})`.execute(shop.db)
  await sql`select graphile_worker.add_job('not-run-here', '{}'::json, max_attempts := 1)`.execute(shop.db)
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'Error: no' where max_attempts = 1`.execute(
    shop.db,
  )
})

describe('the first screen', () => {
  test('has what was sold by London’s day, against yesterday and the same weekday', async () => {
    const { body } = await ask(await anOperator(shop.db), 'GET', '/api/v1/today')
    const { today, yesterday, weekAgo, pounds } = body.revenue
    expect(today).toHaveLength(2)
    const [sold] = today.filter(({ sold: of }: { sold: { currency: string } }) => of.currency === 'EUR')
    expect(sold).toEqual({ sold: eur(3000), count: 1, back: eur(300), refunds: 1 })
    expect(yesterday).toEqual([{ sold: eur(3000), count: 1, back: eur(0), refunds: 0 }])
    expect(weekAgo).toEqual([{ sold: eur(6000), count: 2, back: eur(0), refunds: 0 }])
    // At the rate of the books: £1 is €1.15.
    expect(pounds).toEqual({ today: 2609 + 3000, yesterday: 2609, weekAgo: 5217 })
    expect(body.orders).toEqual({ made: 6, paid: 6, delivered: 6, connected: 0 })
    expect(body.active).toEqual({ connections: 18, customers: 1 })
    expect(body.backedUpAt).toBeNull()
  })

  test('says what the settings allow that they better would not', async () => {
    const { body } = await ask(await anOperator(shop.db), 'GET', '/api/v1/today')
    expect(body.warnings).toEqual([expect.stringMatching(/^SMTP_ALLOW_PLAINTEXT is on/)])
  })

  test('says what waits, and by which list it is seen', async () => {
    const { body } = await ask(await anOperator(shop.db), 'GET', '/api/v1/today')
    const lists = body.alerts.map(({ list, filters }: { list: string; filters: object }) => [list, filters])
    expect(lists).toContainEqual(['jobs', { state: 'given-up' }])
  })

  test('says of what waits only what the role sees elsewhere', async () => {
    await sql`insert into operator_actions (id, who, command, arguments)
      values (${randomUUID()}, 'shop', 'record check', '{}')`.execute(shop.db)
    const listsOf = async (role: OperatorRole): Promise<string[]> => {
      const { body } = await ask(await anOperator(shop.db, role), 'GET', '/api/v1/today')
      return body.alerts.map(({ list }: { list: string }) => list)
    }
    await expect.poll(() => listsOf('owner')).toEqual(expect.arrayContaining(['record-checks', 'jobs']))
    expect(await listsOf('servers')).toEqual(expect.arrayContaining(['jobs']))
    for (const role of ['servers', 'finance', 'support'] as const)
      expect(await listsOf(role)).not.toContain('record-checks')
    expect(await listsOf('support')).not.toContain('jobs')
  })

  test('is everybody’s, and names nobody', async () => {
    for (const role of OPERATOR_ROLES) {
      const { status, text } = await ask(await anOperator(shop.db, role), 'GET', '/api/v1/today')
      expect(status).toBe(200)
      for (const word of [customer.id, customer.email, customer.name]) expect(text).not.toContain(word)
    }
    expectProblem(await ask(undefined, 'GET', '/api/v1/today'), 401)
  })

  test('tells what was sold altogether to those who may see revenue, and to nobody else', async () => {
    for (const role of OPERATOR_ROLES) {
      const operator = await anOperator(shop.db, role)
      const today = await ask(operator, 'GET', '/api/v1/today')
      const sales = await ask(operator, 'GET', '/api/v1/sales?by=plan')
      if (mayRole(role, 'revenue.see')) {
        expect(today.body.revenue.today).toHaveLength(2)
        expect(sales.status).toBe(200)
      } else {
        expect(today.body.revenue).toBeNull()
        expect(today.text).not.toMatch(/minor|pounds|EUR/)
        expectProblem(sales, 403)
      }
    }
    expect(['support', 'servers'].filter((role) => mayRole(role as OperatorRole, 'revenue.see'))).toEqual([])
  })
})

describe('the chart', () => {
  const sales = async (query: string) =>
    (await ask(await anOperator(shop.db, 'viewer'), 'GET', `/api/v1/sales?${query}`)).body

  test('has thirty days of London, the last of them today, by currency', async () => {
    const { steps, lines } = await sales('step=day&by=currency')
    expect(steps).toHaveLength(30)
    expect(steps.at(-1)).toBe(londonPeriods(new Date()).today.toISOString())
    for (const [n, step] of steps.entries()) expect(step).toBe(dayAfter(new Date(), n - 29).toISOString())
    const line = lines.find(({ key }: { key: string }) => key === 'EUR')
    expect(line.sold.slice(-8)).toEqual([5217, 0, 0, 0, 0, 0, 5217, 2609])
    expect(line.counts.slice(-2)).toEqual([2, 1])
  })

  test.each([
    ['week', 26],
    ['month', 12],
  ])('has steps of a %s, each once and in their order', async (step, count) => {
    const { steps, lines } = await sales(`step=${step}&by=method`)
    expect(steps).toHaveLength(count)
    const times = steps.map((at: string) => new Date(at).getTime())
    for (const [n, time] of times.entries())
      if (n > 0) expect(time - times[n - 1]).toBeGreaterThanOrEqual((step === 'week' ? 6.9 : 27.9) * DAY_MS)
    const sum = (of: number[]) => of.reduce((all, one) => all + one, 0)
    const counts = lines.map((line: { counts: number[] }) => sum(line.counts))
    expect(sum(counts)).toBe(6)
    expect(new Set(lines.map(({ name }: { name: string }) => name))).toEqual(new Set(['Card']))
  })

  test.each(['step=year', 'by=customer', 'step=day&by=email'])('refuses %s', async (query) => {
    expectProblem(await ask(await anOperator(shop.db), 'GET', `/api/v1/sales?${query}`), 422)
  })

  test('leaves out what the books have no rate for, and says so', async () => {
    await sql`delete from accounting_rates`.execute(shop.db)
    const { lines, missing } = await sales('step=week&by=currency')
    await seedDemonstrationSterling(shop.db)
    expect(lines.map(({ key }: { key: string }) => key)).toEqual(['GBP'])
    expect(missing).toEqual(['EUR'])
  })
})
