import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aStatement, declare } from '#testing/cancellations.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { uniqueEmail } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

describe('a cancellation sent without logging in', () => {
  test('is masked until it is opened, which is recorded, and closed once', async () => {
    const statement = aStatement({ message: 'Please end it.' })
    await declare(shop, statement)
    const support = await anOperator(shop.db, 'support')
    const list = await ask(support, 'GET', '/api/v1/cancellations')
    expect(list.body.rows).toContainEqual(
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

  test('is listed once for each sender, and no number of others pushes it out', async () => {
    const support = await anOperator(shop.db, 'support')
    const honest = aStatement()
    await declare(shop, honest)
    const email = uniqueEmail()
    const tagged = [aStatement({ email }), aStatement({ email: email.replace('@', '+2@') })]
    for (const one of tagged) await declare(shop, one)
    await sql`insert into cancellation_statements (id, name, email, sender, contract, message, is_acknowledged)
      select gen_random_uuid(), 'Eve', 'x', i, 'all of it', '', true from generate_series(1, 450) as i`.execute(
      shop.db,
    )
    const pages = async () => {
      const found = []
      let next: string | null = ''
      while (next !== null) {
        const { body } = await ask(support, 'GET', `/api/v1/cancellations${next && `?after=${next}`}`)
        found.push(...body.rows)
        next = body.next as string | null
      }
      return found
    }
    const listed = await pages()
    const ids = listed.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain(honest.id)
    expect(listed.filter(({ id }) => tagged.some((one) => one.id === id))).toEqual([
      expect.objectContaining({ id: tagged[1]?.id, others: 1 }),
    ])
    await ask(support, 'POST', `/api/v1/cancellations/${tagged[1]?.id}/close`, { body: {} })
    expect((await pages()).find(({ id }) => id === tagged[0]?.id)).toMatchObject({ others: 0 })
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
