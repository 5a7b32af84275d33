import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAlerts } from '#care/overview/alerts.ts'
import { aStatement, declare } from '#testing/cancellations.ts'
import { aCustomer, eraseAccount, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { BEHIND_PROXY, countUntilRefused, from } from '#testing/limits.ts'
import { openSecondFront, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const statementsOf = (email: string) =>
  shop.db.selectFrom('cancellation_statements').selectAll().where('email', '=', email).execute()

const RECEIVED = 'We received your cancellation'

const declareFrom = (own: TestShop, address: string, fields: object = {}, cookie?: string) =>
  own.call('POST', '/api/v1/cancellations', { body: aStatement(fields), headers: from(address, cookie) })

describe('a customer who cannot log in cancels', () => {
  test('and gets the words and the time back by mail, and the operator is mailed', async () => {
    const statement = aStatement({ message: 'Please end it.\n\nThank you' })
    const reply = await declare(shop, statement)
    expect(reply.status).toBe(201)
    const { _id, receivedAt } = reply.body
    expect(_id).toBe(statement.id)
    const mail = await mailbox(shop).latest(statement.email, RECEIVED)
    const text = mail.text.replace(/\s+/g, ' ')
    expect(text).toContain(`${receivedAt.slice(0, 19)}Z`)
    expect(text).toContain('I withdraw from this contract; I cancel it.')
    expect(text).toContain('> Name: Ada Lovelace')
    expect(text).toContain('> Contract: Invoice 2026-000042')
    expect(mail.text).toContain('> Please end it.\n> \n> Thank you')
    const inbox = mailbox(shop)
    const told = await inbox.from(shop.settings.operatorEmail, 'Someone has cancelled', statement.email)
    expect(told.text.replace(/\s+/g, ' ')).toContain(`payment cancel PAYMENT --asked-at ${receivedAt}`)
  })

  test('with a mail that holds no link, whatever was typed', async () => {
    const statement = aStatement({
      contract: 'see https://evil.example/win',
      message: 'Go to www.evil.example or http://16843009/ <a href="https://evil.example">now</a>',
    })
    await declare(shop, statement)
    const { text, html } = await mailbox(shop).latest(statement.email, RECEIVED)
    const quoted = text.split('\n').filter((line) => line.startsWith('>'))
    expect(quoted).toHaveLength(6)
    expect(quoted.join('\n')).not.toMatch(/:\/\/|[a-z0-9][.][a-z0-9]/i)
    expect(html).not.toMatch(/<a |evil\.example/)
    expect(text).not.toContain(shop.settings.publicUrl)
  })

  test('and it happens once, however often it is sent', async () => {
    const statement = aStatement()
    const replies = await Promise.all(Array.from({ length: 4 }, () => declare(shop, statement)))
    for (const { status, body } of replies) {
      expect(status).toBe(201)
      expect(body).toEqual(replies[0]?.body)
    }
    expect((await declare(shop, statement)).body).toEqual(replies[0]?.body)
    await queueIsEmpty(shop)
    expect(await statementsOf(statement.email)).toHaveLength(1)
    expect(await mailbox(shop).list(statement.email, RECEIVED)).toHaveLength(1)
    const others = [{ name: 'Grace' }, { email: uniqueEmail() }, { contract: 'another' }, { message: 'More' }]
    for (const other of others) expectProblem(await declare(shop, { ...statement, ...other }), 409)
  })

  test('and is answered the same, whether there is such an account or not', async () => {
    const { email } = await aCustomer(shop)
    const [known, unknown] = await Promise.all([
      declare(shop, aStatement({ email })),
      declare(shop, aStatement()),
    ])
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
    expect([known.status, unknown.status]).toEqual([201, 201])
  })

  test('without a card number that was typed being kept', async () => {
    const statement = aStatement({ contract: 'my card 4111 1111 1111 1111' })
    await declare(shop, statement)
    expect((await statementsOf(statement.email))[0]?.contract).not.toContain('1111 1111 1111')
    expect((await declare(shop, statement)).status).toBe(201)
  })

  test.each([
    ['name', '', 'Enter your name'],
    ['name', 'x'.repeat(101), 'The name cannot be longer than 100 characters'],
    [
      'name',
      'www.evil.example',
      'A name cannot contain a web or email address. Put a space after a full stop',
    ],
    ['email', '', 'Enter an email we can reply to'],
    ['email', 'ada', 'Enter correct email address'],
    [
      'contract',
      ' ',
      'Say what you are cancelling: the email of your account, an invoice number or a payment number',
    ],
    ['contract', 'x'.repeat(201), 'Use 200 characters at most'],
    ['message', 'x'.repeat(5001), 'The text cannot be longer than 5,000 characters'],
  ])('but not with %s %j', async (field, value, message) => {
    const statement = aStatement({ [field]: value })
    expect(messageFor(expectProblem(await declare(shop, statement), 422), field)).toBe(message)
    expect(
      await shop.db
        .selectFrom('cancellation_statements')
        .select('id')
        .where('id', '=', statement.id)
        .execute(),
    ).toHaveLength(0)
  })

  test('but not with more than a form can hold', async () => {
    expectProblem(await declare(shop, aStatement({ message: 'x'.repeat(70_000) })), 413)
  })
})

describe('the shop cannot be made to mail others at will', () => {
  test('an address gets five acknowledgements a day; what comes after is kept, and shown to the operator', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    const email = uniqueEmail()
    for (let i = 0; i < 6; i++) {
      const fields = { email: i % 2 ? email.toUpperCase() : email }
      expect((await declareFrom(own, `${i + 1}.0.113.7`, fields)).status).toBe(201)
    }
    await queueIsEmpty(own)
    expect(await mailbox(own).list(email, RECEIVED)).toHaveLength(5)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from cancellation_statements where not is_acknowledged`.execute(own.db)
    expect(rows).toEqual([{ count: 1 }])
    const mails = await mailbox(own).list(own.settings.operatorEmail, 'Someone has cancelled')
    expect(mails).toHaveLength(6)
    for (let i = 0; i < 10; i++) expect((await declare(own, aStatement())).status).toBe(201)
    expectProblem(await declare(own, aStatement()), 429)
  })
})

describe('strangers with many networks and addresses', () => {
  test('send no more from a /48 than four lines do, and keep no browser that is known from sending one', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    const { email } = await aCustomer(own)
    const login = await own.call('POST', '/api/v1/user/login', {
      body: { username: email, password: PASSWORD },
    })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    let i = 0
    const line = () => `2001:db8:1:${(i++ << 8).toString(16)}::1`
    expect(await countUntilRefused(60, () => declareFrom(own, line()))).toBe(40)
    expect((await declareFrom(own, '2001:db8:2::1')).status).toBe(201)
    expect((await declareFrom(own, line(), { email }, cookie)).status).toBe(201)
  })

  test('have few mails sent to others and to the operator; the rest leaves later, and all is kept', async () => {
    const own = await startTestShop(BEHIND_PROXY)
    const emails = Array.from({ length: 65 }, () => uniqueEmail())
    const replies = await Promise.all(
      emails.map((email, i) => declareFrom(own, `${i + 1}.0.113.7`, { email })),
    )
    expect(replies.map(({ status }) => status)).toEqual(emails.map(() => 201))
    await queueIsEmpty(own)
    const received = async () =>
      (await Promise.all(emails.map((email) => mailbox(own).list(email, RECEIVED)))).flat().length
    expect(await received()).toBe(60)
    const { operatorEmail } = own.settings
    expect(await mailbox(own).list(operatorEmail, 'Someone has cancelled')).toHaveLength(20)
    const alerts = await listAlerts(own.db)
    expect(alerts).toContainEqual(expect.objectContaining({ name: 'MailsHeld', count: 5 }))
    expect(alerts).toContainEqual(expect.objectContaining({ name: 'CancellationAsked', count: 65 }))
    // The minutes are over. A process remembers for a moment what was used up, another one knows of nothing.
    await sql`delete from rate_counts`.execute(own.db)
    await openSecondFront(own)
    await until(async () => {
      await hurry(own, 'mail-statement-received')
      return (await received()) === 65
    })
    await hurry(own, 'mail-operator-digest')
    const digest = await mailbox(own).latest(operatorEmail, 'More is waiting')
    expect(digest.text).toContain('65 cancellations were sent without logging in')
    expect(await listAlerts(own.db)).not.toContainEqual(expect.objectContaining({ name: 'MailsHeld' }))
  })

  test('cannot fill the shop: while very many are open a statement is taken, with a shorter message', async () => {
    const own = await startTestShop()
    await sql`insert into cancellation_statements (id, name, email, sender, contract, message, is_acknowledged)
      select gen_random_uuid(), 'Ada', 'x', 'x', 'all of it', '', true from generate_series(1, 1000)`.execute(
      own.db,
    )
    const long = await declare(own, aStatement({ message: 'x'.repeat(501) }))
    expect(messageFor(expectProblem(long, 422), 'message')).toContain('Use 500 characters at most here')
    expect((await declare(own, aStatement({ message: 'x'.repeat(500) }))).status).toBe(201)
  })
})

test.each([
  ['cancellation_statements', 'lower(email)', 'statements_by_email'],
  ['cancellation_statements', 'closed_at is null and sender', 'open_statements_by_sender'],
  ['conversations', 'customer_id is null and lower(email)', 'questions_by_email'],
])('among very many %s what is found by %s is found by an index', async (table, by, index) => {
  const lines = await shop.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    return sql`explain select from ${sql.table(table)} where ${sql.raw(by)} = 'ada@example.org'`.execute(trx)
  })
  expect(JSON.stringify(lines.rows)).toContain(index)
})

describe('a statement is kept', () => {
  test('for the account with the address, in the file with all their data', async () => {
    const { email, token } = await aCustomer(shop)
    const statement = aStatement({ email: email.toUpperCase(), message: 'Bye' })
    const { receivedAt } = (await declare(shop, statement)).body
    await declare(shop, aStatement())
    const { body } = await shop.call('GET', '/api/v1/user/data', { token })
    expect(body.cancellationStatements).toEqual([
      {
        _id: statement.id,
        name: 'Ada Lovelace',
        email: statement.email,
        contract: statement.contract,
        message: 'Bye',
        receivedAt,
        isAcknowledged: true,
        closedAt: null,
      },
    ])
  })

  test('though the account is deleted, as the proof of both sides', async () => {
    const customer = await aCustomer(shop)
    await declare(shop, aStatement({ email: customer.email }))
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await statementsOf(customer.email)).toHaveLength(1)
  })

  test('until a year after the operator was done with it', async () => {
    const [old, young, open] = [randomUUID(), randomUUID(), randomUUID()]
    const row = (id: string, closed_at: Date | null) => ({
      id,
      name: 'Ada',
      email: 'ada@example.org',
      sender: 'ada@example.org',
      contract: 'it',
      message: '',
      is_acknowledged: true,
      received_at: new Date('2024-01-01'),
      closed_at,
    })
    await shop.db
      .insertInto('cancellation_statements')
      .values([row(old, new Date('2024-02-01')), row(young, new Date()), row(open, null)])
      .execute()
    await hurry(shop, 'tidy-up')
    await expect
      .poll(async () =>
        (
          await shop.db
            .selectFrom('cancellation_statements')
            .select('id')
            .where('id', 'in', [old, young, open])
            .execute()
        )
          .map(({ id }) => id)
          .toSorted(),
      )
      .toEqual([young, open].toSorted())
  })
})
