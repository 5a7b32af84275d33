import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aStatement, declare } from '#testing/cancellations.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { deedsOf } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

describe('a cancellation sent without logging in', () => {
  test('is masked until it is opened, which is recorded, and closed once', async () => {
    const statement = aStatement({ message: 'Please end it.' })
    await declare(shop, statement)
    const support = await anOperator(shop.db, 'support')
    const list = await ask(support, 'GET', '/api/v1/cancellations')
    expect(list.body.statements).toContainEqual(
      expect.objectContaining({ id: statement.id, isOpen: true, name: 'A. L.' }),
    )
    for (const secret of [statement.email, 'Lovelace', 'Please end it', statement.contract])
      expect(list.text).not.toContain(secret)
    const opened = await ask(support, 'GET', `/api/v1/cancellations/${statement.id}`)
    expect(opened.body).toMatchObject({
      name: 'Ada Lovelace',
      email: statement.email,
      message: 'Please end it.',
      customerId: null,
    })
    const close = () => ask(support, 'POST', `/api/v1/cancellations/${statement.id}/close`, { body: {} })
    const closed = await Promise.all([close(), close()])
    expect(closed.map(({ body }) => body.isNew).toSorted()).toEqual([false, true])
    const left = await ask(support, 'GET', '/api/v1/cancellations')
    expect(left.text).not.toContain(statement.id)
    expect((await ask(support, 'GET', '/api/v1/cancellations?all=true')).text).toContain(statement.id)
    expect((await deedsOf(shop, support))[0]).toMatchObject({
      command: 'cancellation show',
      subject: statement.id,
    })
  })

  test('is not opened by those who may not see customers, and there is no other', async () => {
    const statement = aStatement()
    await declare(shop, statement)
    for (const role of ['servers', 'viewer'] as const) {
      const operator = await anOperator(shop.db, role)
      const { status, text } = await ask(operator, 'GET', `/api/v1/cancellations/${statement.id}`)
      expect(status).toBe(403)
      expect(text).not.toContain(statement.email)
    }
    const support = await anOperator(shop.db, 'support')
    for (const id of [randomUUID(), 'x', "'", '%00'])
      expectProblem(await ask(support, 'GET', `/api/v1/cancellations/${id}`), 404)
    expectProblem(
      await ask(support, 'POST', `/api/v1/cancellations/${randomUUID()}/close`, { body: {} }),
      404,
    )
  })
})
