import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createSecondStep } from '#people/second-step/challenges.ts'
import { keepEvent } from '#people/security-events/security-events.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer, aSession, type TestCustomer, uniqueEmail } from '#testing/customers.ts'
import { aGuard } from '#testing/guards.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { anOrder } from '#testing/orders.ts'
import { anEarning } from '#testing/partners.ts'
import { aPurchase, CARDS, challengeOf, connectionsOf, startPayment } from '#testing/payments.ts'
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
        command: 'customer open',
        subject: customer.id,
        outcome: 'done',
        arguments: { customerId: customer.id },
      },
    ])
    expectProblem(await of(support, 'GET', { id: randomUUID() }, '/person'), 404)
    expect((await deedsOf(shop, support)).at(-1)?.outcome).toBe('refused')
  })

  test('has what was refunded and what operators did, by name, for those who help', async () => {
    const [support, finance] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'finance')]
    const { customer, paymentId } = await aPurchase(shop)
    const path = `/api/v1/payments/${paymentId}/refund`
    expect((await ask(support, 'POST', path, { body: { amountMinor: 700 } })).status).toBe(200)
    const { body } = await of(support, 'GET', customer)
    expect(body.refunds).toMatchObject([{ paymentId, sum: { minor: 700, currency: 'EUR' } }])
    expect(body.acts).toEqual([{ at: expect.any(String), by: support.name, what: 'Refund requested' }])
    expect((await of(finance, 'GET', customer)).body.acts).toEqual([])
  })

  test('is shown with no list that the role may not see', async () => {
    const customer = await aCustomer(shop)
    await aPurchase(shop, {}, {}, customer)
    await sql`insert into conversations (id, kind, customer_id, name)
      values (${randomUUID()}, 'support', ${customer.id}, 'Ada')`.execute(shop.db)
    const lengths = async (role: 'finance' | 'support') => {
      const { body } = await of(await anOperator(shop.db, role), 'GET', customer)
      return [body.recentPayments, body.recentConnections, body.conversations].map((rows) => rows.length)
    }
    expect(await lengths('support')).toEqual([1, 3, 1])
    expect(await lengths('finance')).toEqual([1, 0, 0])
    const earnings = async (role: 'finance' | 'support') =>
      (await of(await anOperator(shop.db, role), 'GET', customer)).body.partner
    expect(await earnings('support')).toBeNull()
    expect(await earnings('finance')).toMatchObject({ level: 1, balances: expect.any(Array) })
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

describe('an account is found', () => {
  const idsOf = async (operator: TestOperator, words: string) => {
    const query = new URLSearchParams({ words })
    const { body, status, text } = await ask(operator, 'GET', `/api/v1/customer-search?${query}`)
    expect(status, text).toBe(200)
    return body.map(({ id }: { id: string }) => id)
  }

  test('by all that its holder may tell, with its whole name, and the look is recorded by its id', async () => {
    const support = await anOperator(shop.db, 'support')
    const name = `Zaphod ${randomUUID().slice(0, 6)}`
    const email = uniqueEmail('zaphod')
    const holder = await aCustomer(shop, { name, email })
    const { paymentId, order } = await aPurchase(shop, {}, {}, holder)
    const [connection] = await connectionsOf(shop, paymentId)
    const { promocode } = (await shop.call('GET', '/api/v1/user/profile', { token: holder.token })).body
    await aPurchase(shop)
    for (const words of [
      email.slice(0, -4),
      email.split('@')[0]?.toUpperCase() ?? '',
      name.slice(3).toLowerCase(),
      promocode.toLowerCase(),
      paymentId,
      order.orderId,
      holder.id,
      connection?.id ?? '',
    ])
      expect(await idsOf(support, words), words).toEqual([holder.id])
    expect(await idsOf(support, '0077')).toContain(holder.id)
    const found = await ask(support, 'GET', `/api/v1/customer-search?words=${email.toUpperCase()}`)
    expect(found.body).toMatchObject([{ id: holder.id, email, name, isConfirmed: true }])
    const [first] = await deedsOf(shop, support)
    expect(first).toMatchObject({ command: 'customer find', subject: holder.id, outcome: 'done' })
  })

  test('by nothing that stands for anything elsewhere, and by those who may', async () => {
    const support = await anOperator(shop.db, 'support')
    await aCustomer(shop)
    for (const words of ['%%', '__', '\\\\', "x' or 'x'='x", 'nobody@nowhere'])
      expect(await idsOf(support, words)).toEqual([])
    for (const words of ['', 'x', 'x'.repeat(201)])
      expectProblem(await ask(support, 'GET', `/api/v1/customer-search?words=${words}`), 422)
    const viewer = await anOperator(shop.db, 'viewer')
    expectProblem(await ask(viewer, 'GET', '/api/v1/customer-search?words=ada'), 403)
  })
})

describe('what happened to an account', () => {
  const activityOf = (operator: TestOperator, customer: { id: string }) =>
    of(operator, 'GET', customer, '/activity')

  test('is shown with how it is guarded and where it is logged in, and no secret', async () => {
    const customer = await aCustomer(shop)
    const secrets = await aGuard(shop, customer.id)
    await keepEvent(shop.db, customer.id, 'passkey-added')
    const support = await anOperator(shop.db, 'support')
    const { body, text } = await activityOf(support, customer)
    expect(body).toMatchObject({
      secondStepAt: expect.any(String),
      secondStepEndsAt: expect.any(String),
      authenticatorAppAt: expect.any(String),
      recoveryCodes: 1,
      passkeys: [{ name: 'Yubi on the ring', isSynced: true, lastUsedAt: null }],
      sessions: [{ browser: null }],
      events: [{ what: 'A passkey was added', times: 1 }],
      hasMore: false,
    })
    for (const [what, secret] of Object.entries(secrets)) expect(text.includes(secret), what).toBe(false)
    expect(await deedsOf(shop, support)).toMatchObject([
      { command: 'customer activity', subject: customer.id, outcome: 'done' },
    ])
    expect((await activityOf(support, await aCustomer(shop))).body.events).toEqual([])
    expectProblem(await activityOf(support, { id: randomUUID() }), 404)
    expectProblem(await activityOf(await anOperator(shop.db, 'viewer'), customer), 403)
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

  test('takes nobody for another whom the first has just let in, whoever asks first', async () => {
    const customer = await aGuarded(shop)
    const [one, puppet] = [await anOperator(shop.db, 'owner'), await anOperator(shop.db, 'support')]
    await sql`update operators set let_in_by = ${one.id}, let_in_at = now() where id = ${puppet.id}`.execute(
      shop.db,
    )
    for (const operator of [one, puppet, one])
      expect((await reset(operator, customer)).body).toEqual({ outcome: 'asked' })
    expect(await hasSecondStep(customer)).toBe(true)
  })

  test.each([
    ['was ended', { ended_at: new Date() }],
    ['may not reset it any more', { role: 'viewer' }],
  ] as const)('asked for by somebody who %s meanwhile counts for nothing', async (_, change) => {
    const customer = await aGuarded(shop)
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
    await reset(one, customer)
    await shop.db.updateTable('operators').set(change).where('id', '=', one.id).execute()
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

describe('a confirmation mail', () => {
  test('is sent once more to who has not confirmed, and to no other', async () => {
    const support = await anOperator(shop.db, 'support')
    const [late, confirmed] = [await aCustomer(shop, { isConfirmed: false }), await aCustomer(shop)]
    expect((await of(support, 'POST', late, '/confirmation')).status).toBe(200)
    await mailbox(shop).latest(late.email, 'Confirm your email')
    expectProblem(await of(support, 'POST', confirmed, '/confirmation'), 409)
    expectProblem(await of(support, 'POST', { id: randomUUID() }, '/confirmation'), 404)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(confirmed.email, 'Confirm your email')).toEqual([])
  })
})

describe('an operator who logs a customer out', () => {
  test('ends sessions, log-ins under way and links of this account alone, and mails its owner', async () => {
    const { customer: ada, paymentId } = await aPurchase(shop)
    const other = await aCustomer(shop)
    const second = { ...ada, token: await aSession(shop, ada.id) }
    const [connection] = await connectionsOf(shop, paymentId)
    await shop.call('POST', `/api/v1/connections/${connection?.id}/link`, { token: ada.token })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: ada.email } })
    await queueIsEmpty(shop)
    const row = await shop.db
      .selectFrom('customers')
      .select(['id', 'password_hash'])
      .where('id', '=', ada.id)
      .executeTakeFirstOrThrow()
    await createSecondStep(shop.db, row)
    expect(await isIn(second)).toBe(true)
    const support = await anOperator(shop.db, 'support')
    expect((await of(support, 'POST', ada, '/log-out', {})).body).toEqual({ sessions: 2 })
    for (const one of [ada, second]) expect(await isIn(one)).toBe(false)
    expect(await isIn(other)).toBe(true)
    const { rows } = await sql`
      select token_hash from auth_challenges where customer_id = ${ada.id}
      union all select token_hash from account_links where customer_id = ${ada.id} and used_at is null
      union all select link_hash from connections where customer_id = ${ada.id} and link_hash is not null`.execute(
      shop.db,
    )
    expect(rows).toEqual([])
    await mailbox(shop).latest(ada.email, 'We logged you out everywhere')
  })

  test('alone ends no second step', async () => {
    const customer = await aGuarded(shop)
    const owner = await anOperator(shop.db)
    expectProblem(await of(owner, 'POST', customer, '/log-out', { withoutSecondStep: true }), 409)
    expect(await isIn(customer)).toBe(true)
    expect((await of(owner, 'GET', customer)).body.hasSecondStep).toBe(true)
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
    expect((await of(support, 'POST', customer, '/log-out', { newPassword: true })).status).toBe(200)
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
  test('is not erased while a payment is under way, or a withdrawal waits', async () => {
    const manager = await anOperator(shop.db, 'manager')
    const [payer, partner] = [await aCustomer(shop), await aCustomer(shop)]
    const paymentId = await startPayment(shop, payer, await anOrder(shop, payer), { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect((await of(manager, 'DELETE', payer)).body.detail).toBe(
      'A payment of this account is under way. Wait until it has ended.',
    )
    await anEarning(shop, partner.id, 30_000)
    const bank = { accountHolder: 'Ada Lovelace', iban: 'DE89370400440532013000' }
    const body = { currency: 'EUR', amount: 250, ...bank }
    await shop.call('POST', '/api/v1/partnership/withdrawals', { token: partner.token, body })
    expect((await of(manager, 'DELETE', partner)).body.detail).toMatch(
      /^A withdrawal of this account is waiting\./,
    )
    for (const one of [payer, partner]) expect(await isIn(one)).toBe(true)
  })

  test('that two erase at once is erased by one, and its invoices stay', async () => {
    const { customer, order } = await aPurchase(shop)
    const manager = await anOperator(shop.db, 'manager')
    const twice = await Promise.all([of(manager, 'DELETE', customer), of(manager, 'DELETE', customer)])
    expect(twice.filter(({ status }) => status === 200)).toHaveLength(1)
    await mailbox(shop).latest(customer.email, 'has been deleted')
    const invoices = await shop.db
      .selectFrom('invoices')
      .select('order_id')
      .where('order_id', '=', order.orderId)
      .execute()
    expect(invoices).toHaveLength(1)
    expect(JSON.stringify(await deedsOf(shop, manager))).not.toContain('@example')
  })
})
