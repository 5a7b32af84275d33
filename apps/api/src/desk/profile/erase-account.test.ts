import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { replyToConversation } from '#people/conversations/operator-replies.ts'
import { deleteOldBuyers } from '#sales/orders/erased-buyers.ts'
import { aCustomer, aSession, eraseAccount, type Leaver, PASSWORD } from '#testing/customers.ts'
import { hurry, queueIsEmpty, waitingJobs } from '#testing/jobs.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const erase = (who: Leaver, given?: object) => eraseAccount(shop, who, given)

const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })
const customerRow = (id: string) =>
  shop.db.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst()

describe('DELETE /api/v1/user', () => {
  test('deletes the account, so that nobody can log in and the email is free again', async () => {
    const customer = await aCustomer(shop)
    expect((await erase(customer)).status).toBe(200)
    expectProblem(await profile(customer.token), 401)
    const { email } = customer
    const login = { username: email, password: PASSWORD }
    expectProblem(await shop.call('POST', '/api/v1/user/login', { body: login }), 401)
    const again = { name: 'Ada', email, signupPassword: PASSWORD, acceptTerms: true }
    expect((await shop.call('POST', '/api/v1/user/create', { body: again })).status).toBe(201)
  })

  test('ends every session in every process, and leaves those of others', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const other = await aSession(shop, ada.id)
    const second = await openSecondFront(shop)
    const seen = async (token: string) => (await second.call('GET', '/api/v1/user/profile', { token })).status
    expect([await seen(other), await seen(eve.token)]).toEqual([200, 200])
    await erase(ada)
    expectProblem(await profile(other), 401)
    await expect.poll(() => seen(other)).toBe(401)
    expect(await seen(eve.token)).toBe(200)
  })

  test('deletes the connections, and lets their addresses rest for seven days', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const had = await connectionsOf(shop, paymentId)
    await sql`update peers set connected_on = current_date, first_connected_on = current_date
      where connection_id = any(${had.map(({ id }) => id)}::uuid[])`.execute(shop.db)
    await erase(customer)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    const rested = await shop.db
      .selectFrom('free_addresses')
      .select(['position', 'available_at'])
      .where(
        'position',
        'in',
        had.map(({ position }) => position),
      )
      .execute()
    expect(rested).toHaveLength(3)
    for (const { available_at } of rested) {
      const days = (available_at.getTime() - Date.now()) / DAY_MS
      expect(days).toBeGreaterThan(6.9)
      expect(days).toBeLessThanOrEqual(7)
    }
  })

  test('goes through while a link is being made, which then is none', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const [connection] = await connectionsOf(shop, paymentId)
    const [erasing, linking] = await shop.db.transaction().execute(async (trx) => {
      // Holds the deletion up once it has come to the connections.
      await sql`select from peers where connection_id = ${connection?.id} for update`.execute(trx)
      const erasing = erase(customer)
      await until(() => areWaiting(shop, 1))
      const linking = shop.call('POST', `/api/v1/connections/${connection?.id}/link`, {
        token: customer.token,
      })
      await until(() => areWaiting(shop, 2))
      return [{ reply: erasing }, { reply: linking }]
    })
    expect([(await erasing.reply).status, (await linking.reply).status]).toEqual([200, 401])
  })

  test('leaves no trace of the person in any table, once the last mail is sent', async () => {
    const { customer, paymentId } = await aPurchase(shop, {}, { card_holder: 'AUGUSTA BYRON' })
    const [connection] = await connectionsOf(shop, paymentId)
    const path = `/api/v1/connections/${connection?.id}`
    await shop.call('PUT', path, { token: customer.token, body: { name: 'Phone of Zaphod Unique' } })
    await shop.call('POST', `${path}/keys`, { token: customer.token })
    await shop.call('POST', `${path}/link`, { token: customer.token })
    const fields = { name: 'Zaphod Unique', phone: '+44 555 0199', addressString: '77 Unrepeatable Row' }
    await shop.call('PUT', '/api/v1/user', { token: customer.token, body: fields })
    const conversation = {
      id: randomUUID(),
      name: 'Zaphod Unique',
      problem: 'Nothing works at 77 Unrepeatable Row.',
    }
    await shop.call('POST', '/api/v1/support', { token: customer.token, body: conversation })
    const more = { id: randomUUID(), text: 'Write to Zaphod Unique, 77 Unrepeatable Row.' }
    await shop.call('POST', `/api/v1/support/${conversation.id}/messages`, {
      token: customer.token,
      body: more,
    })
    const text = 'Hello Zaphod Unique, we look at it.'
    await replyToConversation(shop, { conversationId: conversation.id, text, isAgain: false, closes: false })
    await erase(customer)
    await mailbox(shop).latest(customer.email, 'has been deleted')
    await until(async () => (await waitingJobs(shop)).length === 0)
    await deleteOldBuyers(shop.db)
    // What tells the node that they are gone has nothing left that opens a tunnel, and its connection is no more.
    const left = await sql<{ is_open: boolean }>`
      select removed_at is null or private_key_encrypted is not null as is_open from peers
      where connection_id = ${connection?.id}`.execute(shop.db)
    expect(left.rows).toEqual([{ is_open: false }, { is_open: false }])
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker')`.execute(shop.db)
    expect(tables.length).toBeGreaterThan(8)
    // An invoice stays as it was issued, for as long as the law says: whom it is to with it, and nothing that leads to the account.
    const isOnInvoice = (name: string, trace: string) =>
      name === 'public.invoices' && [fields.name, fields.addressString].includes(trace)
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} as t`.execute(
        shop.db,
      )
      const text = rows.map(({ row }) => row).join('\n')
      for (const trace of [customer.id, customer.email, ...Object.values(fields)])
        if (!isOnInvoice(name, trace)) expect(text, name).not.toContain(trace)
      if (name !== 'public.invoices') expect(text, name).not.toContain('AUGUSTA BYRON')
    }
  })

  test('says so by a last mail, whose queue holds no address', async () => {
    const customer = await aCustomer(shop)
    await erase(customer)
    const mail = await mailbox(shop).latest(customer.email, 'Your account at Hedgerow has been deleted')
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      'your invoices and credit notes, with your name and address as they were then and the name on the card. These go 6 years after their year, or 10 where the sale was taxed in another country of the EU.',
    )
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'has been deleted')).toHaveLength(1)
  })

  test('forgets an address that no mail could be sent to', async () => {
    const id = '5f0b3a2e-0000-4000-8000-000000000001'
    const young = '5f0b3a2e-0000-4000-8000-000000000002'
    await shop.db
      .insertInto('farewells')
      .values([
        { id, email: 'gone@example.org', created_at: new Date(Date.now() - 3.1 * DAY_MS) },
        { id: young, email: 'going@example.org' },
      ])
      .execute()
    await hurry(shop, 'tidy-up')
    await until(
      async () =>
        !(await shop.db.selectFrom('farewells').select('id').where('id', '=', id).executeTakeFirst()),
    )
    expect(
      await shop.db.selectFrom('farewells').select('id').where('id', '=', young).executeTakeFirst(),
    ).toBeDefined()
  })

  test('ends mails quietly that were queued for the account', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const [connection] = await connectionsOf(shop, paymentId)
    await mailbox(shop).latest(customer.email, 'Your receipt')
    await erase(customer)
    const jobs = {
      'mail-password-changed': { customerId: customer.id },
      'mail-reset': { customerId: customer.id },
      'mail-confirmation': { customerId: customer.id },
      'mail-connection': { connectionId: connection?.id },
      'mail-new-keys': { connectionId: connection?.id },
      'mail-share-links': { customerId: customer.id },
      'mail-farewell': { farewellId: customer.id },
    }
    for (const [name, payload] of Object.entries(jobs)) {
      await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)`.execute(shop.db)
    }
    await queueIsEmpty(shop)
    const subjects = await mailbox(shop).list(customer.email, '')
    expect(subjects.map(({ subject }) => subject)).toEqual([
      'Your account at Hedgerow has been deleted',
      expect.stringContaining('Your receipt'),
    ])
  })

  test.each([
    ['email', 'eve@example.org', 'This is not the email of your account'],
    ['email', '', 'Enter the email of your account'],
    ['email', undefined, 'Enter the email of your account'],
    ['password', 'not the password', 'The password is wrong'],
    ['password', '', 'Enter your password'],
    ['password', undefined, 'Enter your password'],
  ])('refuses %s %j (%s), and deletes nothing', async (field, value, message) => {
    const { customer, paymentId } = await aPurchase(shop)
    const reply = expectProblem(await erase(customer, { [field]: value }), 422)
    expect(messageFor(reply, field)).toBe(message)
    expect((await profile(customer.token)).status).toBe(200)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('takes the email in any case', async () => {
    const customer = await aCustomer(shop)
    expect((await erase({ ...customer, email: ` ${customer.email.toUpperCase()} ` })).status).toBe(200)
  })

  test('cannot delete another’s account, nor anyone’s without a session', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    expectProblem(await erase({ email: ada.email, token: eve.token }), 422)
    expectProblem(
      await shop.call('DELETE', '/api/v1/user', { body: { email: ada.email, password: PASSWORD } }),
      401,
    )
    expect([await customerRow(ada.id), await customerRow(eve.id)]).not.toContain(undefined)
  })

  test('happens once, however often it is asked for at once', async () => {
    const { customer } = await aPurchase(shop)
    const replies = await Promise.all(Array.from({ length: 5 }, () => erase(customer)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    await mailbox(shop).latest(customer.email, 'has been deleted')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'has been deleted')).toHaveLength(1)
  })
})
