import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { aGuarded } from '#testing/second-step.ts'

const { shop, ask } = await consoleOfFile()

const of = (operator: TestOperator, method: string, { id }: { id: string }, path = '', body?: object) =>
  ask(operator, method, `/api/v1/customers/${id}${path}`, body ? { body } : {})

const isIn = async ({ token }: TestCustomer) =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).status === 200

describe('who a customer is', () => {
  test('stands masked in lists, files and on their page', async () => {
    const customer = await aCustomer(shop, { name: 'Grace Brewster Hopper' })
    await aPurchase(shop, {}, {}, customer)
    const owner = await anOperator(shop.db)
    const page = await of(owner, 'GET', customer)
    expect(page.body).toMatchObject({
      name: 'G. B. H.',
      email: 'a…@example.org',
      payments: 1,
      connections: 3,
    })
    const replies = [
      page,
      await ask(owner, 'GET', '/api/v1/customers?rows=200'),
      await ask(owner, 'GET', '/api/v1/customers.csv'),
      await ask(owner, 'GET', `/api/v1/search?words=${customer.email}`),
      await ask(owner, 'GET', `/api/v1/payments?customerId=${customer.id}`),
    ]
    for (const { text, status } of replies) {
      expect(status).toBe(200)
      expect(text).toContain(customer.id)
      for (const word of [customer.email, 'Grace', 'Brewster', 'Hopper']) expect(text).not.toContain(word)
    }
  })

  test('is shown when it is asked for, one at a time, and the look is recorded', async () => {
    const customer = await aCustomer(shop)
    const support = await anOperator(shop.db, 'support')
    const { body } = await of(support, 'GET', customer, '/person')
    expect(body).toMatchObject({ email: customer.email, name: customer.name })
    expect(await deedsOf(shop, support)).toEqual([
      {
        command: 'customer show',
        subject: customer.id,
        outcome: 'done',
        arguments: { customerId: customer.id },
      },
    ])
    expectProblem(await of(support, 'GET', { id: randomUUID() }, '/person'), 404)
    expect((await deedsOf(shop, support)).at(-1)?.outcome).toBe('refused')
  })

  test('is not for a viewer, who sees no text of anybody’s either', async () => {
    const customer = await aCustomer(shop)
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, {}, {}, customer)
    const [connection] = await connectionsOf(shop, paymentId)
    const rename = { token: customer.token, body: { name: 'Byron’s phone' } }
    await shop.call('PUT', `/api/v1/connections/${connection?.id}`, rename)
    await of(support, 'POST', customer, '/notes', { text: 'Rang from 020 7946 0000' })
    const viewer = await anOperator(shop.db, 'viewer')
    const page = await of(viewer, 'GET', customer)
    expect(page.body.notes).toMatchObject([{ text: '…', isMine: false }])
    const replies = [
      page,
      await ask(viewer, 'GET', `/api/v1/connections?customerId=${customer.id}`),
      await ask(viewer, 'GET', `/api/v1/connections/${connection?.id}`),
      await ask(viewer, 'GET', `/api/v1/connections.csv?customerId=${customer.id}`),
      await ask(viewer, 'GET', `/api/v1/search?words=${connection?.id}`),
    ]
    for (const { text } of replies) {
      expect(text).toContain(connection?.id)
      expect(text).not.toMatch(/byron|7946/i)
    }
    expectProblem(await of(viewer, 'GET', customer, '/person'), 403)
    expect((await of(support, 'GET', customer)).text).toMatch(/Byron’s phone.*Rang from/s)
  })

  test('is no formula in a file', async () => {
    const since = new Date().toISOString()
    await aCustomer(shop, { name: '=cmd|calc @Evil' })
    const owner = await anOperator(shop.db)
    const { text } = await ask(owner, 'GET', `/api/v1/customers.csv?columns=name,email&since=${since}`)
    expect(text).toContain("\r\n'=. @.,a…@example.org\r\n")
  })
})

describe('a note', () => {
  test('is for operators and in the file that the customer downloads, without card numbers', async () => {
    const customer = await aCustomer(shop)
    const support = await anOperator(shop.db, 'support')
    const text = 'Paid by 4111 1111 1111 1111, <b>twice</b>'
    expect((await of(support, 'POST', customer, '/notes', { text })).status).toBe(201)
    const { body } = await of(support, 'GET', customer)
    expect(body.notes).toMatchObject([{ by: support.name, isMine: true }])
    expect(body.notes[0].text).toMatch(/<b>twice<\/b>/)
    expect(body.notes[0].text).not.toContain('4111 1111 1111')
    const file = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    expect(file.body.notes).toMatchObject([{ text: body.notes[0].text }])
    expect(file.text).not.toContain(support.name)
    for (const deed of await deedsOf(shop, support)) expect(JSON.stringify(deed)).not.toContain('twice')
  })

  test('is taken away by whoever wrote it, or may erase, and only where it is', async () => {
    const [customer, other] = [await aCustomer(shop), await aCustomer(shop)]
    const [one, second] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    const manager = await anOperator(shop.db, 'manager')
    const add = async () => {
      await of(one, 'POST', customer, '/notes', { text: 'A note' })
      return `/notes/${(await of(one, 'GET', customer)).body.notes[0].id}`
    }
    const note = await add()
    expectProblem(await of(second, 'DELETE', customer, note), 404)
    expectProblem(await of(one, 'DELETE', other, note), 404)
    expect((await of(one, 'DELETE', customer, note)).status).toBe(200)
    expect((await of(manager, 'DELETE', customer, await add())).status).toBe(200)
  })

  test('says something, and not too much, of a customer that there is', async () => {
    const support = await anOperator(shop.db, 'support')
    const customer = await aCustomer(shop)
    for (const text of ['', '   ', 'x'.repeat(2_001), 7])
      expectProblem(await of(support, 'POST', customer, '/notes', { text }), 422)
    expectProblem(await of(support, 'POST', { id: randomUUID() }, '/notes', { text: 'Hello' }), 404)
    const viewer = await anOperator(shop.db, 'viewer')
    expectProblem(await of(viewer, 'POST', customer, '/notes', { text: 'Hello' }), 403)
  })
})

describe('a reset of the second step', () => {
  const reset = (operator: TestOperator, customer: { id: string }) =>
    of(operator, 'POST', customer, '/second-step-reset')

  const hasSecondStep = async (customer: { id: string }) =>
    (await of(await anOperator(shop.db), 'GET', customer)).body.hasSecondStep

  test('takes two operators, then ends the log-ins and mails the owner', async () => {
    const customer = await aGuarded(shop)
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    for (let n = 0; n < 3; n++) expect((await reset(one, customer)).body).toEqual({ outcome: 'asked' })
    expect(await hasSecondStep(customer)).toBe(true)
    expect((await of(other, 'GET', customer)).body.resetAsked).toMatchObject({ by: one.name, isMine: false })
    expect((await reset(other, customer)).body).toEqual({ outcome: 'reset' })
    expect(await hasSecondStep(customer)).toBe(false)
    expect(await isIn(customer)).toBe(false)
    await mailbox(shop).latest(customer.email, 'logged you out everywhere')
    expectProblem(await reset(other, customer), 409)
  })

  test('agreed to by several at once is made once, and is not begun again by that', async () => {
    const customer = await aGuarded(shop)
    await reset(await anOperator(shop.db, 'support'), customer)
    const others = await Promise.all([1, 2, 3].map(() => anOperator(shop.db, 'manager')))
    const replies = await Promise.all(others.map((one) => reset(one, customer)))
    expect(replies.filter(({ body }) => body.outcome === 'reset')).toHaveLength(1)
    expect(await hasSecondStep(customer)).toBe(false)
    expect((await of(others[0] as TestOperator, 'GET', customer)).body.resetAsked).toBeNull()
  })

  test('has to be agreed to within a day, and can be withdrawn', async () => {
    const customer = await aGuarded(shop)
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    await reset(one, customer)
    await shop.db
      .updateTable('second_step_resets')
      .set({ asked_at: new Date(Date.now() - 86_500_000) })
      .where('customer_id', '=', customer.id)
      .execute()
    expect((await reset(other, customer)).body).toEqual({ outcome: 'asked' })
    expect((await of(one, 'DELETE', customer, '/second-step-reset')).status).toBe(200)
    expect((await reset(one, customer)).body).toEqual({ outcome: 'asked' })
    expect(await hasSecondStep(customer)).toBe(true)
  })

  test('asked for by somebody who was ended meanwhile counts for nothing', async () => {
    const customer = await aGuarded(shop)
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    await reset(one, customer)
    await shop.db.updateTable('operators').set({ ended_at: new Date() }).where('id', '=', one.id).execute()
    expect((await of(other, 'GET', customer)).body.resetAsked).toBeNull()
    expect((await reset(other, customer)).body).toEqual({ outcome: 'asked' })
    expect(await hasSecondStep(customer)).toBe(true)
  })

  test('is not for finance, for whoever proved themselves long ago, or of an account that has none', async () => {
    const customer = await aGuarded(shop)
    expectProblem(await reset(await anOperator(shop.db, 'finance'), customer), 403)
    const support = await anOperator(shop.db, 'support')
    expectProblem(await reset(support, await aCustomer(shop)), 409)
    await letOperatorProofAge(shop, support)
    expect((await reset(support, customer)).body.code).toBe('ask-again')
  })
})

describe('an account', () => {
  test('hears that we ended its sessions, and nothing of where the operator sits', async () => {
    const customer = await aCustomer(shop)
    const support = await anOperator(shop.db, 'support')
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    await ask(support, 'POST', `/api/v1/customers/${customer.id}/log-out`, { body: {}, headers })
    const mail = await mailbox(shop).latest(customer.email, 'logged you out everywhere')
    expect(mail.text).not.toContain('Firefox')
    const { security } = (await of(support, 'GET', customer)).body
    expect(security.events[0]).toMatchObject({ what: 'We ended every session of the account', browser: null })
  })

  test('is logged out everywhere, and its password ended where that is asked for', async () => {
    const customer = await aCustomer(shop)
    const support = await anOperator(shop.db, 'support')
    expect((await of(support, 'POST', customer, '/log-out', {})).body).toEqual({ sessions: 1 })
    expect(await isIn(customer)).toBe(false)
    const logIn = () =>
      shop.call('POST', '/api/v1/user/login', {
        body: { username: customer.email, password: customer.password },
      })
    expect((await logIn()).status).toBe(200)
    expect((await of(support, 'POST', customer, '/log-out', { endsPassword: true })).status).toBe(200)
    expect((await logIn()).status).toBeGreaterThanOrEqual(400)
  })

  test('is taken out by those who may, after a proof, without keys and whole bank accounts', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    expectProblem(await of(await anOperator(shop.db, 'finance'), 'GET', customer, '/data'), 403)
    const support = await anOperator(shop.db, 'support')
    const { body, text, headers } = await of(support, 'GET', customer, '/data')
    expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(body.account.email).toBe(customer.email)
    expect(text).toContain(paymentId)
    expect(text).not.toMatch(/privateKey|presharedKey/i)
    expect((await deedsOf(shop, support)).map(({ command }) => command)).toEqual(['customer export'])
    await letOperatorProofAge(shop, support)
    expect((await of(support, 'GET', customer, '/data')).body.code).toBe('ask-again')
  })

  test('is erased by those who may, after a proof, once', async () => {
    const customer = await aCustomer(shop)
    expectProblem(await of(await anOperator(shop.db, 'support'), 'DELETE', customer), 403)
    const late = await anOperator(shop.db, 'manager')
    await letOperatorProofAge(shop, late)
    expect((await of(late, 'DELETE', customer)).body.code).toBe('ask-again')
    expect(await isIn(customer)).toBe(true)
    const manager = await anOperator(shop.db, 'manager')
    expect((await of(manager, 'DELETE', customer)).status).toBe(200)
    expect(await isIn(customer)).toBe(false)
    for (const path of ['', '/person', '/data']) expectProblem(await of(manager, 'GET', customer, path), 404)
    expectProblem(await of(manager, 'DELETE', customer), 404)
  })
})
