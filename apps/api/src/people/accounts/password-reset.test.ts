import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import { createRateCounter } from '#platform/http/limits/rate-counter.ts'
import { countHeldMails } from '#platform/queue/held-mails.ts'
import { ceilingOf } from '#platform/queue/mail-bounds.ts'
import { addPasskey, anAuthenticator, answers } from '#testing/authenticator.ts'
import { aCustomer, aSession, PASSWORD, type TestCustomer, uniqueEmail } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { LIMITED } from '#testing/limits.ts'
import {
  aGuarded,
  ageFactors,
  answer,
  aTicket,
  beginApp,
  codeOf,
  confirmApp,
  waitAStep,
} from '#testing/second-step.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NEW_PASSWORD = 'another wren in the hedge'

const forget = (username: unknown) =>
  shop.call('POST', '/api/v1/user/password/forgot', { body: { username } })
const reset = (token: unknown, password: unknown = NEW_PASSWORD) =>
  shop.call('POST', '/api/v1/user/password/reset', { body: { token, password } })
const logIn = (username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })
const profile = (token: string) => shop.call('GET', '/api/v1/user/profile', { token })

const aLink = async (customer: TestCustomer): Promise<string> => {
  await forget(customer.email)
  return tokenIn(await mailbox(shop).latest(customer.email, 'Choose a new password'), '/reset/')
}

describe('POST /api/v1/user/password/forgot', () => {
  test('answers alike whether or not the account exists, and mails strangers nothing', async () => {
    const { email } = await aCustomer(shop)
    const stranger = uniqueEmail('nobody')
    const [known, unknown] = [await forget(email), await forget(stranger)]
    expect([known.status, known.text]).toEqual([200, '{}'])
    expect([unknown.status, unknown.text]).toEqual([200, '{}'])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(stranger, '')).toEqual([])
  })

  test('mails a link to the page that takes the new password', async () => {
    const customer = await aCustomer(shop)
    await forget(customer.email.toUpperCase())
    const mail = await mailbox(shop).latest(customer.email, 'Choose a new password')
    expect(mail.text).toContain(`${shop.url}/reset/${tokenIn(mail, '/reset/')}`)
  })

  test('leaves the links before it, until one of them is used', async () => {
    const customer = await aCustomer(shop)
    const first = await aLink(customer)
    await forget(customer.email)
    await until(async () => (await mailbox(shop).list(customer.email, 'Choose a new password')).length === 2)
    const second = tokenIn(await mailbox(shop).latest(customer.email, 'Choose a new password'), '/reset/')
    expect((await reset(first)).status).toBe(200)
    expectProblem(await reset(second, 'a third password 3'), 400)
  })

  describe('while strangers have had as many mails sent as one kind may be', () => {
    const aFlooded = async () => {
      const own = await startTestShop(LIMITED)
      const counter = createRateCounter(own.db, 1, createKeyedHash(hashKeyOf(own.settings.keyEncryptionKey)))
      const ask = (email: string) =>
        own.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
      const flood = async () => {
        const ceiling = ceilingOf('mail-confirmation')
        if (ceiling) while ((await counter.count(ceiling)) === undefined);
      }
      return { own, ask, flood }
    }

    test('mails it to a confirmed address all the same', async () => {
      const { own, ask, flood } = await aFlooded()
      const { email } = await aCustomer(own)
      await flood()
      await ask(email)
      const mail = await mailbox(own).latest(email, 'Choose a new password')
      expect(tokenIn(mail, '/reset/')).toBeTruthy()
    })

    test('holds it for an address that was never confirmed, and the link that was mailed before works on', async () => {
      const { own, ask, flood } = await aFlooded()
      const { email } = await aCustomer(own, { isConfirmed: false })
      await ask(email)
      const token = tokenIn(await mailbox(own).latest(email, 'Choose a new password'), '/reset/')
      // The minute in which one account may ask once is over.
      await own.db.deleteFrom('rate_counts').execute()
      await flood()
      await ask(email)
      await until(async () => (await countHeldMails(own.db)) === 1)
      const body = { token, password: NEW_PASSWORD }
      expect((await own.call('POST', '/api/v1/user/password/reset', { body })).status).toBe(200)
    })
  })

  test('queues as much for an address without an account, so that it takes as long', async () => {
    const own = await startTestShop()
    await sql`create table queued (task text, id text)`.execute(own.db)
    await sql`create function note_job() returns trigger language plpgsql as $$ begin
      insert into queued select identifier, new.payload->>'customerId' from graphile_worker._private_tasks where id = new.task_id;
      return new; end $$`.execute(own.db)
    await sql`create trigger note_job after insert on graphile_worker._private_jobs
      for each row execute function note_job()`.execute(own.db)
    const customer = await aCustomer(own)
    for (const path of ['password/forgot', 'confirm/resend'])
      for (const username of [customer.email, uniqueEmail('nobody')])
        await own.call('POST', `/api/v1/user/${path}`, { body: { username } })
    const { rows } = await sql<{ task: string; id: string }>`
      select task, id from queued
      where task in ('mail-reset', 'mail-confirmation')`.execute(own.db)
    expect(rows.map(({ task }) => task)).toEqual([
      'mail-reset',
      'mail-reset',
      'mail-confirmation',
      'mail-confirmation',
    ])
    expect(rows.map(({ id }) => id.length)).toEqual([36, 36, 36, 36])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
  })

  test.each([
    ['', 'Email is required to reset your password'],
    ['a', 'Valid email is required'],
    ['ada', 'Valid email is required'],
    [undefined, 'Email is required to reset your password'],
  ])('refuses %j: %s', async (username, message) => {
    expect(messageFor(expectProblem(await forget(username), 422), 'username')).toBe(message)
  })
})

describe('POST /api/v1/user/password/reset', () => {
  test('changes the password', async () => {
    const customer = await aCustomer(shop)
    expect((await reset(await aLink(customer))).status).toBe(200)
    expect((await logIn(customer.email, NEW_PASSWORD)).status).toBe(200)
    expectProblem(await logIn(customer.email, PASSWORD), 401)
  })

  test('ends every session of the account, and no other', async () => {
    const [customer, other] = [await aCustomer(shop), await aCustomer(shop)]
    const second = await aSession(shop, customer.id)
    await reset(await aLink(customer))
    expect([(await profile(customer.token)).status, (await profile(second)).status]).toEqual([401, 401])
    expect((await profile(other.token)).status).toBe(200)
  })

  test('tells the customer by mail that the password was changed', async () => {
    const customer = await aCustomer(shop)
    await reset(await aLink(customer))
    const mail = await mailbox(shop).latest(customer.email, 'password at Hedgerow was changed')
    expect(mail.text).toContain(`${shop.url}/forgot`)
  })

  test('removes a passkey that was added in the days before, and says so in the mail', async () => {
    const customer = await aCustomer(shop)
    const device = anAuthenticator()
    await addPasskey(shop, customer, device)
    await reset(await aLink(customer))
    const { body } = await shop.call('POST', '/api/v1/user/login/passkey/options')
    const sent = { body: answers(shop, device, body) }
    expectProblem(await shop.call('POST', '/api/v1/user/login/passkey', sent), 401)
    const mail = await mailbox(shop).latest(customer.email, 'password at Hedgerow was changed')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('1 passkey. If it was you, add it again')
  })

  test('leaves the owner’s new phone to answer an older second step, and without it a wait of seven days', async () => {
    const customer = await aGuarded(shop)
    await ageFactors(shop, customer.id)
    const phone = await beginApp(shop, customer.token)
    expect((await confirmApp(shop, customer.token, codeOf(phone))).status).toBe(200)
    await waitAStep(shop, customer.id)
    await reset(await aLink(customer))
    const mail = await mailbox(shop).latest(customer.email, 'password at Hedgerow was changed')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('nothing that answered it then is left')
    const { secondStep } = (await logIn(customer.email, NEW_PASSWORD)).body
    expect(Date.parse(secondStep.endsAt)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000)
    const ticket = await aTicket(shop, customer, {}, NEW_PASSWORD)
    expect((await answer(shop, ticket, { code: codeOf(phone) })).status).toBe(200)
    expect((await logIn(customer.email, NEW_PASSWORD)).body.secondStep.endsAt).toBeNull()
  })

  test('works once per link', async () => {
    const customer = await aCustomer(shop)
    const token = await aLink(customer)
    await reset(token)
    expectProblem(await reset(token, 'a third password 3'), 400)
    expect((await logIn(customer.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('answers its own sender alike, who pressed twice, and changes nothing again', async () => {
    const customer = await aCustomer(shop)
    const token = await aLink(customer)
    const [one, other] = await Promise.all([reset(token), reset(token)])
    expect([one.status, one.body.email]).toEqual([200, customer.email])
    expect([other.status, other.body.email]).toEqual([200, customer.email])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'Your password')).toHaveLength(1)
    await shop.db
      .updateTable('account_links')
      .set({ used_at: new Date(Date.now() - 11 * 60_000) })
      .where('customer_id', '=', customer.id)
      .where('purpose', '=', 'reset')
      .execute()
    expectProblem(await reset(token), 400)
  })

  test('lets one of twenty win who use the link at once', async () => {
    const customer = await aCustomer(shop)
    const token = await aLink(customer)
    const passwords = Array.from({ length: 20 }, (_, i) => `password of racer ${i}`)
    const replies = await Promise.all(passwords.map((password) => reset(token, password)))
    const winners = passwords.filter((_, i) => replies[i]?.status === 200)
    expect(winners).toHaveLength(1)
    expect((await logIn(customer.email, winners[0] ?? '')).status).toBe(200)
  })

  test('makes other links to choose a password useless', async () => {
    const customer = await aCustomer(shop)
    const first = await aLink(customer)
    await queueIsEmpty(shop)
    await forget(customer.email)
    await queueIsEmpty(shop)
    await reset(tokenIn(await mailbox(shop).latest(customer.email, 'Choose a new password'), '/reset/'))
    expectProblem(await reset(first, 'a third password 3'), 400)
  })

  test('refuses a link that is an hour old', async () => {
    const customer = await aCustomer(shop)
    const token = await aLink(customer)
    const link = await shop.db
      .selectFrom('account_links')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()
    expect(link.expires_at.getTime() - link.created_at.getTime()).toBe(3_600_000)
    await shop.db
      .updateTable('account_links')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('token_hash', '=', link.token_hash)
      .execute()
    expectProblem(await reset(token), 400)
    expect((await logIn(customer.email, PASSWORD)).status).toBe(200)
  })

  test('confirms an address by the link that was mailed there', async () => {
    const customer = await aCustomer(shop, { isConfirmed: false })
    await reset(await aLink(customer))
    expect((await logIn(customer.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('leaves the link usable when the new password is refused', async () => {
    const customer = await aCustomer(shop)
    const token = await aLink(customer)
    expect(messageFor(expectProblem(await reset(token, 'short'), 422), 'password')).toBe(
      'The password cannot be shorter than 8 characters',
    )
    expect(messageFor(expectProblem(await reset(token, 'password1'), 422), 'password')).toMatch(/too common/)
    expect((await reset(token)).status).toBe(200)
  })

  test.each(['x', 'a'.repeat(43), '\u0000'])('refuses the made-up token %j', async (token) => {
    expectProblem(await reset(token), 400)
  })
})
