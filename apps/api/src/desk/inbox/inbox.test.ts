import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { deedsOf } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

const aQuestion = async (given: { name?: string; customer?: TestCustomer } = {}) => {
  const customer = given.customer ?? (await aCustomer(shop))
  const body = {
    id: randomUUID(),
    name: given.name ?? 'Ada Lovelace',
    problem: 'My tunnel has been slow since noon.',
  }
  const { status, text } = await shop.call('POST', '/api/v1/support', { token: customer.token, body })
  if (status >= 300) throw new Error(text)
  const { id } = await shop.db
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', '=', customer.id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return { customer, id }
}

const open = (operator: TestOperator, id: string) => ask(operator, 'GET', `/api/v1/inbox/${id}`)

const newest = async (operator: TestOperator, id: string): Promise<string> =>
  (await open(operator, id)).body.messages.at(-1).id

const reply = (operator: TestOperator, id: string, body: object) =>
  ask(operator, 'POST', `/api/v1/inbox/${id}/reply`, { body })

const listed = async (operator: TestOperator, id: string, query = '') => {
  const { body } = await ask(operator, 'GET', `/api/v1/inbox?rows=200&${query}`)
  return body.rows.find((row: { id: string }) => row.id === id)
}

describe('the inbox', () => {
  test('lists one waiting application of an account at a time, and all of them of that customer', async () => {
    const support = await anOperator(shop.db, 'support')
    const { token, id: customerId } = await aCustomer(shop)
    const ids = [randomUUID(), randomUUID()]
    for (const id of ids) {
      const body = { id, name: 'Ada', commentary: 'We would like to sell your service.' }
      expect((await shop.call('POST', '/api/v1/applications', { token, body })).status).toBeLessThan(300)
    }
    const seen = async (query: string) =>
      (await Promise.all(ids.map((id) => listed(support, id, query)))).filter(Boolean).length
    expect(await seen('kind=application')).toBe(1)
    expect(await seen(`customerId=${customerId}`)).toBe(2)
  })

  test('lists what needs an answer, who waited longest first, and what it is about', async () => {
    const support = await anOperator(shop.db, 'support')
    const [first, second] = [await aQuestion(), await aQuestion({ name: 'Grace Hopper' })]
    const waiting = async (operator = support) => {
      const { body } = await ask(operator, 'GET', '/api/v1/inbox?rows=200&waits=yes&sort=waitingSince')
      return body.rows.filter(({ id }: { id: string }) => [first.id, second.id].includes(id))
    }
    // Who writes once more has waited no shorter.
    const { token } = first.customer
    const body = { id: randomUUID(), text: 'Hello,\nthis is Ada: write to ada@example.org or 020 7946 0958!' }
    const more = await shop.call('POST', `/api/v1/support/${first.id}/messages`, { token, body })
    expect(more.status, more.text).toBeLessThan(300)
    const rows = await waiting()
    expect(rows).toMatchObject([
      { id: first.id, topic: 'this is A.: write to a…@example.org or …!' },
      { id: second.id, topic: 'My tunnel has been slow since noon.' },
    ])
    expect(new Date(rows[0].waitingSince).getTime()).toBeLessThan(new Date(rows[1].waitingSince).getTime())
    expect(await waiting(await anOperator(shop.db, 'viewer'))).toMatchObject([
      { topic: null },
      { topic: null },
    ])

    await reply(support, first.id, { text: 'Better now?', after: await newest(support, first.id) })
    expect((await waiting()).map(({ id }: { id: string }) => id)).toEqual([second.id])
    expect(await listed(support, first.id)).toMatchObject({ waitingSince: null })
  })

  test('lists what was written, without what it says and whole names, unread until it is opened', async () => {
    const support = await anOperator(shop.db, 'support')
    const other = await anOperator(shop.db, 'support')
    const { id, customer } = await aQuestion()
    expect(await listed(support, id)).toMatchObject({
      name: 'A. L.',
      customerId: customer.id,
      isUnread: true,
      lastAuthor: 'customer',
      assignedTo: null,
    })
    const list = await ask(await anOperator(shop.db, 'viewer'), 'GET', '/api/v1/inbox')
    expect(list.status).toBe(200)
    expect(list.text).not.toMatch(/slow since|Lovelace/)
    expect((await open(support, id)).body).toMatchObject({
      name: 'Ada Lovelace',
      email: customer.email,
      messages: [{ author: 'customer', text: expect.stringContaining('slow since noon') }],
    })
    expect((await listed(support, id)).isUnread).toBe(false)
    expect((await listed(other, id)).isUnread).toBe(true)
    expect(await listed(support, id, 'unread=yes')).toBeUndefined()
    expect((await deedsOf(shop, support)).map(({ command }) => command)).toEqual(['support show'])
  })

  test('is opened by those who may', async () => {
    const { id } = await aQuestion()
    for (const role of ['viewer', 'finance', 'servers'] as const)
      expectProblem(await open(await anOperator(shop.db, role), id), 403)
    expectProblem(await open(await anOperator(shop.db, 'support'), randomUUID()), 404)
  })
})

describe('a reply', () => {
  test('is kept, mailed once with name and operator filled in, and seen by whoever wrote it', async () => {
    const support = await anOperator(shop.db, 'support')
    const { id, customer } = await aQuestion()
    const after = await newest(support, id)
    const text = 'Dear {name}, try again. Yours, {operator} {other}'
    expect((await reply(support, id, { text, after })).status).toBe(200)
    const said = `Dear Ada Lovelace, try again. Yours, ${support.name} {other}`
    const { body } = await open(support, id)
    expect(body.messages).toMatchObject([
      { author: 'customer', by: null },
      { author: 'operator', by: support.name, text: said },
    ])
    expect((await reply(support, id, { text, after })).body).toEqual({ isNew: false })
    expect((await open(support, id)).body.messages).toHaveLength(2)
    const mail = await mailbox(shop).latest(customer.email, '')
    expect(mail.text).toContain('try again')
    expect(JSON.stringify(await deedsOf(shop, support))).not.toContain('try again')
    // Customers hear from the shop.
    const own = await shop.call('GET', '/api/v1/support', { token: customer.token })
    expect(own.body[0].messages.at(-1)).not.toHaveProperty('by')
  })

  test('leaves nothing unread for its writer, and does for others', async () => {
    const [support, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    const { id } = await aQuestion()
    await open(other, id)
    await reply(support, id, { text: 'We look into it.', after: await newest(support, id) })
    expect((await listed(support, id)).isUnread).toBe(false)
    expect((await listed(other, id)).isUnread).toBe(true)
  })

  test('says a name as it is, whatever signs it has', async () => {
    const support = await anOperator(shop.db, 'support')
    const { id } = await aQuestion({ name: "$& $' {operator}" })
    await reply(support, id, { text: 'Dear {name}, hello.', after: await newest(support, id) })
    const { body } = await open(support, id)
    expect(body.messages.at(-1).text).toBe("Dear $& $' {operator}, hello.")
  })

  test('is not sent where somebody has written since, and of two at once one is', async () => {
    const operators = await Promise.all([1, 2, 3].map(() => anOperator(shop.db, 'support')))
    const { id } = await aQuestion()
    const after = await newest(operators[0] as TestOperator, id)
    const replies = await Promise.all(
      operators.map((one, n) => reply(one, id, { text: `Answer number ${n}.`, after })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await open(operators[0] as TestOperator, id)).body.messages).toHaveLength(2)
  })

  test('is words, and names what was read', async () => {
    const support = await anOperator(shop.db, 'support')
    const { id } = await aQuestion()
    const after = await newest(support, id)
    for (const body of [{ text: ' ', after }, { text: 'Hello there' }, { text: 'x'.repeat(60_000), after }])
      expectProblem(await reply(support, id, body), 422)
    expectProblem(await reply(support, id, { text: 'Hello there', after: randomUUID() }), 409)
    expectProblem(await reply(support, randomUUID(), { text: 'Hello there', after }), 404)
    expectProblem(await reply(await anOperator(shop.db, 'viewer'), id, { text: 'Hello', after }), 403)
  })

  test('closes what needs nothing more, where it says so', async () => {
    const support = await anOperator(shop.db, 'support')
    const { id } = await aQuestion()
    await reply(support, id, { text: 'All done.', closes: true, after: await newest(support, id) })
    expect((await listed(support, id)).state).toBe('closed')
    const again = await ask(support, 'POST', `/api/v1/inbox/${id}/close`)
    expect(again.body).toEqual({ isChanged: false })
  })
})

describe('an assignment', () => {
  const assign = (operator: TestOperator, id: string, to: string | null, from: string | null) =>
    ask(operator, 'PUT', `/api/v1/inbox/${id}/operator`, { body: { to, from } })

  test('is made by one of two at once, and only as it was looked at', async () => {
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    const { id } = await aQuestion()
    const replies = await Promise.all([assign(one, id, one.id, null), assign(other, id, other.id, null)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { assignedTo } = await listed(one, id)
    const winner = assignedTo.id === one.id ? one : other
    expect((await listed(winner, id, 'of=me')).id).toBe(id)
    expect(await listed(winner, id, 'of=nobody')).toBeUndefined()
    expect((await assign(one, id, null, assignedTo.id)).status).toBe(200)
  })

  test('follows an answer where it is nobody’s, and stays where it is somebody’s', async () => {
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    const { id } = await aQuestion()
    await reply(one, id, { text: 'Which device is it?', after: await newest(one, id) })
    expect((await listed(one, id)).assignedTo.id).toBe(one.id)
    await reply(other, id, { text: 'And since when?', after: await newest(other, id) })
    expect((await listed(one, id)).assignedTo.id).toBe(one.id)
  })

  test('is to somebody who may reply, and is still there', async () => {
    const support = await anOperator(shop.db, 'support')
    const viewer = await anOperator(shop.db, 'viewer')
    const gone = await anOperator(shop.db, 'support')
    await shop.db.updateTable('operators').set({ ended_at: new Date() }).where('id', '=', gone.id).execute()
    const { id } = await aQuestion()
    for (const to of [viewer.id, gone.id, randomUUID()])
      expectProblem(await assign(support, id, to, null), 404)
    const { body } = await ask(support, 'GET', '/api/v1/colleagues')
    const ids = body.map((one: { id: string }) => one.id)
    expect(ids).toContain(support.id)
    expect(ids).not.toContain(viewer.id)
    expect(ids).not.toContain(gone.id)
  })
})

test('canned replies are kept by managers for everybody who answers, one of a title', async () => {
  const manager = await anOperator(shop.db, 'manager')
  const support = await anOperator(shop.db, 'support')
  const path = '/api/v1/canned-replies'
  const body = { title: 'Slow tunnel', text: 'Dear {name}, please restart.' }
  const { body: made, status } = await ask(manager, 'POST', path, { body })
  expect(status).toBe(201)
  expectProblem(await ask(manager, 'POST', path, { body: { ...body, title: 'SLOW TUNNEL' } }), 409)
  expectProblem(await ask(support, 'POST', path, { body }), 403)
  expect((await ask(support, 'GET', path)).body).toEqual([{ id: made.id, ...body }])
  expect((await ask(manager, 'DELETE', `${path}/${made.id}`)).status).toBe(200)
  expectProblem(await ask(manager, 'DELETE', `${path}/${made.id}`), 404)
})
