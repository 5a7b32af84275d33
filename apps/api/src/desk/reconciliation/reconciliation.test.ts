import { randomUUID } from 'node:crypto'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'

const { shop, ask } = await consoleOfFile()

const finance = () => anOperator(shop.db, 'finance')

describe('a day’s comparison with the gateway', () => {
  const compare = (operator: TestOperator, query: string) =>
    ask(operator, 'GET', `/api/v1/comparison?${query}`)

  test('names what differs, changes nothing, and goes on where it stopped', async () => {
    const operator = await finance()
    const { paymentId } = await aPurchase(shop)
    await shop.db
      .insertInto('refunds')
      .values({
        id: randomUUID(),
        payment_id: paymentId,
        amount_minor: 100,
        reason: 'operator',
        status: 'Success',
        ended_at: new Date(),
      })
      .execute()
    const before = await paymentRow(shop, paymentId)
    const day = before.created_at.toISOString().slice(0, 10)
    const found: { paymentId: string; says: string[] }[] = []
    let skip: number | null = 0
    while (skip !== null) {
      const { body, text } = await compare(operator, `day=${day}&skip=${skip}`)
      expect(body.compared, text).toBeGreaterThan(0)
      found.push(...body.different)
      skip = body.next
    }
    expect(found.find((one) => one.paymentId === paymentId)?.says).toEqual([
      'refunds: here 1.00 EUR, there 0.00 EUR',
    ])
    const { status, refunded_minor } = before
    expect(await paymentRow(shop, paymentId)).toMatchObject({ status, refunded_minor })
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    expect((await compare(operator, `day=${day}&skip=10000000`)).body).toMatchObject({
      compared: 0,
      next: null,
    })
    expect((await compare(operator, 'day=2020-01-01')).body).toMatchObject({ compared: 0, next: null })
    expectProblem(await compare(await anOperator(shop.db, 'viewer'), `day=${day}`), 403)
  }, 60_000)

  test.each([
    ['day=2026-13-01', 'day'],
    ['day=2026-02-31', 'day'],
    ['day=2026-00-10', 'day'],
    ['day=today', 'day'],
    ['day=2026-10-01&skip=-1', 'skip'],
    ['day=2026-10-01&skip=1e12', 'skip'],
    ['day=2026-10-01&skip=1.5', 'skip'],
  ])('is not made of %s', async (query, field) => {
    expect(messageFor(expectProblem(await compare(await finance(), query), 422), field)).toMatch(/./)
  })
})
