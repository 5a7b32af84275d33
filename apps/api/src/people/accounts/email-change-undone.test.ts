import { randomBytes, randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, aSession, eraseAccount, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { askForEmail, changeEmail, confirmEmail, confirmToken, undoEmail } from '#testing/email-changes.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { ageFactors } from '#testing/second-step.ts'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NEW = 'a robin on the gate 17'

const undo = (token: string, password = NEW) => undoEmail(shop, token, password)
const state = async (token: string) => (await shop.call('GET', '/api/v1/user/email', { token })).body
const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })
const logIn = (username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })
const rowOf = (id: string) =>
  shop.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const age = (customerId: string) => ageFactors(shop, customerId)
const addPasskey = (customerId: string, name: string) =>
  shop.db
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      customer_id: customerId,
      credential_id: randomBytes(16),
      public_key: Buffer.from('key'),
      counter: 0,
      transports: [],
      is_synced: false,
      name,
      last_used_at: null,
    })
    .execute()
/** As if so many days had passed since all that was added, and since the change was requested. */
const daysPass = async (customerId: string, days: number) => {
  for (const [table, column, id] of [
    ['passkeys', 'created_at', 'customer_id'],
    ['recovery_codes', 'created_at', 'customer_id'],
    ['totp_secrets', 'confirmed_at', 'customer_id'],
    ['customers', 'second_step_at', 'id'],
    ['email_changes', 'asked_at', 'customer_id'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.id(column)} = ${sql.id(column)} - make_interval(days => ${days})
      where ${sql.id(id)} = ${customerId}`.execute(shop.db)
}
const addApp = (customerId: string) =>
  sql`insert into totp_secrets (customer_id, secret_encrypted, confirmed_at) values (${customerId}, 'secret', now())
    on conflict (customer_id) do update set confirmed_at = now()`.execute(shop.db)
const addCode = (customerId: string) =>
  shop.db
    .insertInto('recovery_codes')
    .values({ id: randomUUID(), customer_id: customerId, code_hash: 'x', used_at: null })
    .execute()
const turnOn = (customerId: string) =>
  sql`update customers set second_step_at = now() where id = ${customerId}`.execute(shop.db)
const passkeysOf = async (customerId: string) =>
  (await shop.db.selectFrom('passkeys').select('name').where('customer_id', '=', customerId).execute()).map(
    ({ name }) => name,
  )
const count = async (table: 'recovery_codes' | 'totp_secrets', customerId: string) =>
  (await shop.db.selectFrom(table).select('customer_id').where('customer_id', '=', customerId).execute())
    .length

describe('POST /api/v1/user/email/undo', () => {
  test('brings the old address back, with a new password, and tells both addresses', async () => {
    const customer = await aCustomer(shop)
    const changed = await changeEmail(shop, customer)
    const { status, body } = await undo(changed.undo)
    expect([status, body]).toEqual([200, { email: customer.email }])
    expect((await logIn(customer.email, NEW)).status).toBe(200)
    for (const [email, password] of [
      [customer.email, PASSWORD],
      [changed.email, PASSWORD],
      [changed.email, NEW],
    ] as const)
      expectProblem(await logIn(email, password), 401)
    await mailbox(shop).latest(customer.email, 'was undone')
    const lost = await mailbox(shop).latest(changed.email, 'was undone')
    expect(lost.text + lost.html).not.toContain(customer.email)
    const kinds = await shop.db
      .selectFrom('security_events')
      .select('kind')
      .where('customer_id', '=', customer.id)
      .where('kind', 'like', 'email%')
      .orderBy('id')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'email-change-asked',
      'email-changed',
      'email-change-undone',
    ])
  })

  test('ends every session in every process, share links, and what is pending', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const [connection] = await connectionsOf(shop, paymentId)
    const { token } = customer
    await shop.call('POST', `/api/v1/connections/${connection?.id}/link`, { token })
    const changed = await changeEmail(shop, customer)
    const wanted = uniqueEmail('intruder')
    await askForEmail(shop, token, wanted)
    const link = await confirmToken(shop, wanted)
    const other = await aSession(shop, customer.id)
    const second = await openSecondFront(shop)
    const seen = async () => (await second.call('GET', '/api/v1/user/profile', { token: other })).status
    expect(await seen()).toBe(200)
    await undo(changed.undo)
    expectProblem(await profile(token), 401)
    await expect.poll(seen).toBe(401)
    expect((await connectionsOf(shop, paymentId)).map((row) => row.link_hash)).toEqual([null, null, null])
    expectProblem(await confirmEmail(shop, link), 400)
  })

  test('goes through while links to connections are made as fast as can be', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const changed = await changeEmail(shop, customer)
    const rows = await connectionsOf(shop, paymentId)
    const make = () =>
      Promise.all(
        rows.map(({ id }) => shop.call('POST', `/api/v1/connections/${id}/link`, { token: customer.token })),
      )
    const [undone] = await Promise.all([undo(changed.undo), ...Array.from({ length: 12 }, make)])
    expect(undone.status).toBe(200)
    expect((await connectionsOf(shop, paymentId)).map((row) => row.link_hash)).toEqual([null, null, null])
  })

  test('removes what was added from seven days before the change was requested, and keeps what was there before', async () => {
    const customer = await aCustomer(shop)
    const { id } = customer
    await addPasskey(id, 'the owner’s')
    await addApp(id)
    await addCode(id)
    await turnOn(id)
    await age(id)
    await addPasskey(id, 'five days before the request')
    await daysPass(id, 5)
    const wanted = uniqueEmail()
    await askForEmail(shop, customer.token, wanted)
    await addPasskey(id, 'before it was confirmed')
    await confirmEmail(shop, await confirmToken(shop, wanted))
    await addPasskey(id, 'after it was confirmed')
    await addCode(id)
    await daysPass(id, 6)
    const before = (await rowOf(id)).second_step_at
    // As though the intruder had lost it, too.
    await sql`update customers set second_step_ends_at = now() + interval '1 day' where id = ${id}`.execute(
      shop.db,
    )
    const mail = await mailbox(shop).latest(customer.email, 'was changed')
    await undo(mail.text.match(/\/email\/undo\/(\S+)/)?.[1] ?? '')
    expect(await passkeysOf(id)).toEqual(['the owner’s'])
    expect([await count('recovery_codes', id), await count('totp_secrets', id)]).toEqual([1, 1])
    expect(await rowOf(id)).toMatchObject({ second_step_at: before, second_step_ends_at: null })
    // The mailbox alone opens no account with a second step.
    expect((await logIn(customer.email, NEW)).body).toHaveProperty('secondStep')
    const told = await mailbox(shop).latest(customer.email, 'was undone')
    expect(told.text.replace(/\s+/g, ' ')).toContain('3 passkeys, the recovery codes. If it was you')
  })

  test('turns a second step off that was turned on in the days before', async () => {
    const customer = await aCustomer(shop)
    await addApp(customer.id)
    await addCode(customer.id)
    await turnOn(customer.id)
    const changed = await changeEmail(shop, customer)
    await undo(changed.undo)
    expect((await rowOf(customer.id)).second_step_at).toBeNull()
    expect([await count('recovery_codes', customer.id), await count('totp_secrets', customer.id)]).toEqual([
      0, 0,
    ])
    expect((await logIn(customer.email, NEW)).body).toHaveProperty('access_token')
  })

  test('makes a second step wait, all of which was replaced since, for as long as a lost one', async () => {
    const customer = await aCustomer(shop)
    await addApp(customer.id)
    await turnOn(customer.id)
    await age(customer.id)
    const changed = await changeEmail(shop, customer)
    await addApp(customer.id)
    await undo(changed.undo)
    const { second_step_at, second_step_ends_at } = await rowOf(customer.id)
    expect(second_step_at).not.toBeNull()
    const days = ((second_step_ends_at?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
    expect((await logIn(customer.email, NEW)).body).toHaveProperty('secondStep')
    const mail = await mailbox(shop).latest(customer.email, 'was undone')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('nothing that answered it then is left')
    await hurry(shop, 'mail-way-back-soon')
    await mailbox(shop).latest(customer.email, 'will be turned off tomorrow')
  })

  test.each([
    ['short', 'The password cannot be shorter than 8 characters'],
    ['password1', 'This password is too common. Choose one that is harder to guess'],
  ])('refuses the password %j, and the link goes on working', async (password, message) => {
    const changed = await changeEmail(shop, await aCustomer(shop))
    expect(messageFor(expectProblem(await undo(changed.undo, password), 422), 'password')).toBe(message)
    expect((await undo(changed.undo)).status).toBe(200)
  })

  test('works once, also of several at once', async () => {
    const changed = await changeEmail(shop, await aCustomer(shop))
    const replies = await Promise.all(
      ['one', 'two', 'three'].map((word) => undo(changed.undo, `${NEW} ${word}`)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test('sent twice is answered as the first time, and ends nothing again', async () => {
    const customer = await aCustomer(shop)
    const { undo: link } = await changeEmail(shop, customer)
    const [first, second] = [await undo(link), await undo(link)]
    expect([second.status, second.body]).toEqual([200, first.body])
    const token = await aSession(shop, customer.id)
    expect((await undo(link)).status).toBe(200)
    expect((await profile(token)).status).toBe(200)
    expectProblem(await undo(link, 'another wren in the hedge'), 400)
    await sql`update email_changes set ended_at = now() - interval '11 minutes' where customer_id = ${customer.id}`.execute(
      shop.db,
    )
    expectProblem(await undo(link), 400)
  })

  test('is refused after seven days, and for a link that confirms', async () => {
    const customer = await aCustomer(shop)
    const wanted = uniqueEmail()
    await askForEmail(shop, customer.token, wanted)
    const link = await confirmToken(shop, wanted)
    expectProblem(await undo(link), 400)
    await confirmEmail(shop, link)
    expectProblem(await undo(link), 400)
    const changed = await changeEmail(shop, { ...customer, email: wanted })
    await sql`update email_changes set undo_until = now() where customer_id = ${customer.id}`.execute(shop.db)
    expectProblem(await undo(changed.undo), 400)
    expect((await state(customer.token)).undoable).toBeNull()
    expect((await profile(customer.token)).body.email).toBe(changed.email)
  })

  test('is refused while another account has the old address, and says what to do', async () => {
    const customer = await aCustomer(shop)
    const changed = await changeEmail(shop, customer)
    const eve = await aCustomer(shop, { email: customer.email })
    expect(expectProblem(await undo(changed.undo), 409).body.detail).toContain(
      'delete it or change its email',
    )
    // Nothing of it was done.
    expect((await profile(customer.token)).body.email).toBe(changed.email)
    expect((await logIn(changed.email, PASSWORD)).status).toBe(200)
    await eraseAccount(shop, eve)
    expect((await undo(changed.undo)).status).toBe(200)
  })

  test('is not kept up by an unconfirmed account with the old address', async () => {
    const customer = await aCustomer(shop)
    const changed = await changeEmail(shop, customer)
    await aCustomer(shop, { email: customer.email, isConfirmed: false })
    expect((await undo(changed.undo)).status).toBe(200)
    expect((await logIn(customer.email, NEW)).status).toBe(200)
  })

  test('is refused once the account is deleted', async () => {
    const customer = await aCustomer(shop)
    const changed = await changeEmail(shop, customer)
    await eraseAccount(shop, { ...customer, email: changed.email })
    expectProblem(await undo(changed.undo), 400)
  })
})

describe('of several changes, one after the other,', () => {
  /** a to b to c. */
  const aChain = async () => {
    const customer = await aCustomer(shop)
    const b = await changeEmail(shop, customer)
    const c = await changeEmail(shop, { ...customer, email: b.email })
    return { customer, b, c }
  }

  test('the oldest wins: what came after it is over, and its mailboxes can do nothing', async () => {
    const { customer, b, c } = await aChain()
    expect((await undo(b.undo)).body).toEqual({ email: customer.email })
    expectProblem(await undo(c.undo), 400)
    expect((await logIn(customer.email, NEW)).status).toBe(200)
    await mailbox(shop).latest(c.email, 'was undone')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(b.email, 'was undone')).toEqual([])
  })

  test('the newest can be undone first, and the oldest after it', async () => {
    const { customer, b, c } = await aChain()
    expect((await undo(c.undo, `${NEW} b`)).body).toEqual({ email: b.email })
    expect((await undo(b.undo, `${NEW} a`)).body).toEqual({ email: customer.email })
    expect((await logIn(customer.email, `${NEW} a`)).status).toBe(200)
    expectProblem(await logIn(b.email, `${NEW} b`), 401)
  })

  test('one wins of both undone at once, and the other does not bring back what it undid', async () => {
    const { customer, b, c } = await aChain()
    const replies = await Promise.all([undo(b.undo, `${NEW} a`), undo(c.undo, `${NEW} b`)])
    expect(replies[0]?.status).toBe(200)
    const row = await rowOf(customer.id)
    expect(row.email).toBe(customer.email)
    expect((await logIn(customer.email, `${NEW} a`)).status).toBe(200)
  })

  test('a change that is confirmed while an older one is undone does not outlive that', async () => {
    for (let times = 0; times < 5; times++) {
      const customer = await aCustomer(shop)
      const b = await changeEmail(shop, customer)
      const wanted = uniqueEmail('c')
      await askForEmail(shop, customer.token, wanted)
      const link = await confirmToken(shop, wanted)
      const [undone, confirmed] = await Promise.all([undo(b.undo), confirmEmail(shop, link)])
      expect(undone.status).toBe(200)
      expect([200, 400]).toContain(confirmed.status)
      expect((await rowOf(customer.id)).email).toBe(customer.email)
    }
  })

  test('a change back to the old address leaves the first one to be undone from there', async () => {
    const customer = await aCustomer(shop)
    const b = await changeEmail(shop, customer)
    await changeEmail(shop, { ...customer, email: b.email }, customer.email)
    expect((await undo(b.undo)).body).toEqual({ email: customer.email })
    expect((await logIn(customer.email, NEW)).status).toBe(200)
  })

  test('once the oldest has had its seven days, the others still have theirs', async () => {
    const { customer, b, c } = await aChain()
    await sql`update email_changes set undo_until = now() where new_email = ${b.email}`.execute(shop.db)
    expectProblem(await undo(b.undo), 400)
    expect((await undo(c.undo)).body).toEqual({ email: b.email })
    expect((await rowOf(customer.id)).email).toBe(b.email)
  })
})
