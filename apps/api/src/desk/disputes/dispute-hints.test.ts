import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { aPurchase } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

const finance = () => anOperator(shop.db, 'finance')

test('hints of chargebacks wait until somebody has looked', async () => {
  const operator = await finance()
  const { paymentId } = await aPurchase(shop)
  await sql`insert into dispute_hints (payment_id, first_told_at, last_told_at) values (${paymentId}, now(), now())`.execute(
    shop.db,
  )
  const hints = async () => (await ask(operator, 'GET', '/api/v1/dispute-hints')).body.hints
  expect(await hints()).toContainEqual({ paymentId, lastToldAt: expect.any(String) })
  const viewer = await anOperator(shop.db, 'viewer')
  expectProblem(await ask(viewer, 'POST', '/api/v1/dispute-hints/check', { body: {} }), 403)
  expectProblem(await ask(viewer, 'POST', '/api/v1/dispute-hints/fetch', { body: {} }), 403)
  const fetched = await ask(operator, 'POST', '/api/v1/dispute-hints/fetch', { body: {} })
  expect(fetched.status, fetched.text).toBe(200)
  await ask(operator, 'POST', '/api/v1/dispute-hints/check', { body: {} })
  expect(await hints()).toEqual([])
})
