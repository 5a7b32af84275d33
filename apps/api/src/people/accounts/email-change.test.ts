import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, aSession, eraseAccount, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { askForEmail, changeEmail, confirmEmail, confirmToken } from '#testing/email-changes.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ask = (token: string | undefined, email: unknown) => askForEmail(shop, token, email)
const confirm = (token: string) => confirmEmail(shop, token)
const state = async (token: string) => (await shop.call('GET', '/api/v1/user/email', { token })).body
const emailOf = async (token: string) =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).body.email
const logIn = (username: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password: PASSWORD } })
const events = async (customerId: string) =>
  (
    await shop.db
      .selectFrom('security_events')
      .select('kind')
      .where('customer_id', '=', customerId)
      .where('kind', 'like', 'email%')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)

describe('POST /api/v1/user/email', () => {
  test('mails a link to the new address, and changes nothing before it is confirmed', async () => {
    const { token, email, id } = await aCustomer(shop)
    const wanted = uniqueEmail('grace')
    const { status, body } = await ask(token, wanted)
    expect([status, body]).toEqual([200, {}])
    expect((await state(token)).pending).toMatchObject({ email: wanted })
    await confirmToken(shop, wanted)
    expect(await emailOf(token)).toBe(email)
    expect((await logIn(email)).status).toBe(200)
    expectProblem(await logIn(wanted), 401)
    expect(await events(id)).toEqual(['email-change-asked'])
  })

  test('says nothing to the reader that another person chose: the reader may be a stranger', async () => {
    const { token } = await aCustomer(shop, { name: 'Win a prize at evil example' })
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const mail = await mailbox(shop).latest(wanted, 'Confirm your new email')
    expect(mail.text + mail.html).not.toContain('prize')
  })

  test('asks again who it is when that was proved too long ago, and sends nothing', async () => {
    const { token, id } = await aCustomer(shop)
    await sql`update sessions set proved_at = now() - interval '16 minutes' where customer_id = ${id}`.execute(
      shop.db,
    )
    const wanted = uniqueEmail()
    expect(expectProblem(await ask(token, wanted), 403).body.code).toBe('ask-again')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(wanted, '')).toEqual([])
    expect((await state(token)).pending).toBeNull()
  })

  test('is refused to callers without a session, and to an unconfirmed account', async () => {
    expectProblem(await ask(undefined, uniqueEmail()), 401)
    const { email } = await aCustomer(shop, { isConfirmed: false })
    expectProblem(await logIn(email), 401)
  })

  test.each([
    ['', 'Enter your new email'],
    [undefined, 'Enter your new email'],
    [7, 'Enter your new email'],
    ['no address', 'Enter correct email address'],
    ['ada@example.org\r\nBcc: eve@example.org', 'Enter correct email address'],
    ['ada@example.org,eve@example.org', 'Enter correct email address'],
    ['Ada <ada@example.org>', 'Enter correct email address'],
    ['аda@example.org', 'Enter correct email address'],
    ['ada@exa mple.org', 'Enter correct email address'],
    [`${'a'.repeat(250)}@example.org`, 'The email cannot be longer than 254 characters'],
  ])('refuses %j: %s', async (email, message) => {
    const { token } = await aCustomer(shop)
    expect(messageFor(expectProblem(await ask(token, email), 422), 'email')).toBe(message)
    expect((await state(token)).pending).toBeNull()
  })

  test('refuses the account’s own address, in capitals too', async () => {
    const { token, email } = await aCustomer(shop)
    for (const own of [email, email.toUpperCase(), ` ${email} `])
      expect(messageFor(expectProblem(await ask(token, own), 422), 'email')).toBe(
        'This is already the email of your account',
      )
  })

  test('takes an address in capitals as the same in small letters', async () => {
    const { token } = await aCustomer(shop)
    const wanted = uniqueEmail('grace')
    await ask(token, wanted.toUpperCase())
    expect((await state(token)).pending.email).toBe(wanted)
    expect((await confirm(await confirmToken(shop, wanted))).body).toEqual({ email: wanted })
    expect((await logIn(wanted.toUpperCase())).status).toBe(200)
  })

  test('answers alike for an address that is taken, and mails only the holder', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const free = uniqueEmail()
    const [taken, open] = [await ask(eve.token, ada.email), await ask((await aCustomer(shop)).token, free)]
    expect([taken.status, taken.body]).toEqual([open.status, open.body])
    const mail = await mailbox(shop).latest(ada.email, 'is in use already')
    expect(mail.text).not.toContain('/email/')
    expect(mail.text).not.toContain(eve.email)
    await queueIsEmpty(shop)
    expect((await state(eve.token)).pending).toEqual({
      email: ada.email,
      askedAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect(await mailbox(shop).list(ada.email, 'Confirm')).toEqual([])
  })

  test('of another address ends the link before; of the same, both work', async () => {
    const { token } = await aCustomer(shop)
    const [first, second] = [uniqueEmail('first'), uniqueEmail('second')]
    await ask(token, first)
    const older = await confirmToken(shop, first)
    await ask(token, second)
    expectProblem(await confirm(older), 400)
    const newer = await confirmToken(shop, second)
    await ask(token, second)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(second, 'Confirm')).toHaveLength(2)
    expect((await confirm(newer)).status).toBe(200)
  })

  test('leaves one pending of two that are asked for at once', async () => {
    const { token, id } = await aCustomer(shop)
    const replies = await Promise.all([ask(token, uniqueEmail()), ask(token, uniqueEmail())])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const pending = await shop.db
      .selectFrom('email_changes')
      .select('id')
      .where('customer_id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
    expect(pending).toHaveLength(1)
  })

  test('fills no mailbox: few mails to an address from all customers, few from one customer', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const askThere = (token: string, email: string) => askForEmail(limited, token, email)
    const victim = uniqueEmail('victim')
    const eves = await Promise.all(Array.from({ length: 4 }, () => aCustomer(limited)))
    const replies = []
    for (const { token } of eves) replies.push((await askThere(token, victim)).status)
    expect(replies).toEqual([200, 200, 200, 429])
    expectProblem(await askThere((await aCustomer(limited)).token, victim.toUpperCase()), 429)
    const { token, id } = await aCustomer(limited)
    for (let times = 0; times < 5; times++) expect((await askThere(token, uniqueEmail())).status).toBe(200)
    expectProblem(await askThere(token, uniqueEmail()), 429)
    // A new session is the same customer.
    expectProblem(await askThere(await aSession(limited, id), uniqueEmail()), 429)
  })
})

describe('DELETE /api/v1/user/email', () => {
  test('withdraws what is pending: its link ends', async () => {
    const { token, email } = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const link = await confirmToken(shop, wanted)
    const withdraw = () => shop.call('DELETE', '/api/v1/user/email', { token })
    expect((await withdraw()).status).toBe(200)
    expect((await state(token)).pending).toBeNull()
    expectProblem(await confirm(link), 400)
    expect(await emailOf(token)).toBe(email)
    expect((await withdraw()).status).toBe(200)
  })

  test('leaves that of another customer', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    await ask(ada.token, uniqueEmail())
    await shop.call('DELETE', '/api/v1/user/email', { token: eve.token })
    expect((await state(ada.token)).pending).not.toBeNull()
    expect((await state(eve.token)).pending).toBeNull()
  })
})

describe('POST /api/v1/user/email/confirm', () => {
  test('makes it the account’s address, and tells the new and the old', async () => {
    const customer = await aCustomer(shop)
    const { email } = await changeEmail(shop, customer)
    expect(await emailOf(customer.token)).toBe(email)
    expect((await logIn(email)).status).toBe(200)
    expectProblem(await logIn(customer.email), 401)
    const confirmation = await mailbox(shop).latest(email, 'This is your email')
    expect(confirmation.text).toContain('Log in with it from now on')
    const left = await mailbox(shop).latest(customer.email, 'was changed')
    expect(left.text.replace(/\s+/g, ' ')).toContain('from this address to g…@e….org')
    expect(left.text + left.html).not.toContain(email)
    expect(await state(customer.token)).toEqual({
      email,
      pending: null,
      undoable: {
        oldEmail: customer.email,
        changedAt: expect.any(String),
        undoUntil: expect.any(String),
      },
    })
    expect(await events(customer.id)).toEqual(['email-change-asked', 'email-changed'])
  })

  test('leaves sessions, orders, connections and partner account with their owner', async () => {
    const { customer } = await aPurchase(shop)
    const other = await aSession(shop, customer.id)
    const before = (await shop.call('GET', '/api/v1/user/profile', { token: other })).body
    const { email } = await changeEmail(shop, customer)
    const after = (await shop.call('GET', '/api/v1/user/profile', { token: other })).body
    expect(after).toEqual({ ...before, email })
    expect((await shop.call('GET', '/api/v1/orders', { token: other })).body).toHaveLength(1)
  })

  test('is not done by following the link: a mail program that looks at it changes nothing', async () => {
    const { token, email } = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const link = await confirmToken(shop, wanted)
    await shop.call('GET', `/email/confirm/${link}`)
    expectProblem(await shop.call('GET', '/api/v1/user/email/confirm'), 405)
    expect(await emailOf(token)).toBe(email)
  })

  test('works once, and answers alike who uses it again at once, or a moment later', async () => {
    const { token, id } = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const link = await confirmToken(shop, wanted)
    const replies = await Promise.all(Array.from({ length: 4 }, () => confirm(link)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await confirm(link)).body).toEqual(replies[0]?.body)
    expect(await events(id)).toEqual(['email-change-asked', 'email-changed'])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(wanted, 'This is your email')).toHaveLength(1)
  })

  test('is refused when the link is a day old, made up, too long, or no text', async () => {
    const { token, id } = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const link = await confirmToken(shop, wanted)
    await sql`update email_changes set expires_at = now() where customer_id = ${id}`.execute(shop.db)
    expectProblem(await confirm(link), 400)
    expect((await state(token)).pending).toBeNull()
    expectProblem(await confirm('a'.repeat(43)), 400)
    expectProblem(await confirm('a'.repeat(201)), 422)
    expectProblem(
      await shop.call('POST', '/api/v1/user/email/confirm', { body: { token: { like: '%' } } }),
      422,
    )
  })

  test('is refused when the address was taken meanwhile, until it is free again', async () => {
    const { token, email } = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const link = await confirmToken(shop, wanted)
    const eve = await aCustomer(shop, { email: wanted })
    expect(expectProblem(await confirm(link), 409).body.detail).toContain('Another account has this email')
    expect(await emailOf(token)).toBe(email)
    await eraseAccount(shop, eve)
    expect((await confirm(link)).status).toBe(200)
  })

  test('takes an address from an unconfirmed account', async () => {
    const { token } = await aCustomer(shop)
    const squatted = await aCustomer(shop, { isConfirmed: false })
    await ask(token, squatted.email)
    expect((await confirm(await confirmToken(shop, squatted.email))).status).toBe(200)
    expect(await emailOf(token)).toBe(squatted.email)
  })

  test('lets one of two have an address that both ask for', async () => {
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const wanted = uniqueEmail()
    await ask(ada.token, wanted)
    const first = await confirmToken(shop, wanted)
    await ask(eve.token, wanted)
    const second = await until(async () => {
      const newest = await confirmToken(shop, wanted)
      return newest === first ? undefined : newest
    })
    const replies = await Promise.all([confirm(first), confirm(second)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('ends links to choose a password that were mailed to the old address', async () => {
    const customer = await aCustomer(shop)
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: customer.email } })
    const mail = await mailbox(shop).latest(customer.email, 'Choose a new password')
    const reset = mail.text.match(/\/reset\/(\S+)/)?.[1]
    await changeEmail(shop, customer)
    const body = { token: reset, password: 'yet another one 33' }
    expectProblem(await shop.call('POST', '/api/v1/user/password/reset', { body }), 400)
  })

  test.each(['change', 'reset'])(
    'is refused after a %s of the password: whoever asked may not be the owner',
    async (by) => {
      const { token, email } = await aCustomer(shop)
      const wanted = uniqueEmail('intruder')
      await ask(token, wanted)
      const link = await confirmToken(shop, wanted)
      if (by === 'change') {
        const body = { password: PASSWORD, newPassword: 'a robin on the gate 17' }
        expect((await shop.call('POST', '/api/v1/user/password', { token, body })).status).toBe(200)
      } else {
        await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
        const mail = await mailbox(shop).latest(email, 'Choose a new password')
        const reset = mail.text.match(/\/reset\/(\S+)/)?.[1]
        const body = { token: reset, password: 'a robin on the gate 17' }
        expect((await shop.call('POST', '/api/v1/user/password/reset', { body })).status).toBe(200)
      }
      expectProblem(await confirm(link), 400)
    },
  )

  test('is refused once the account is deleted, and mails that waited are not sent', async () => {
    const customer = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(customer.token, wanted)
    const link = await confirmToken(shop, wanted)
    await eraseAccount(shop, customer)
    expectProblem(await confirm(link), 400)
    const changeId = '5f0b3a2e-0000-4000-8000-000000000001'
    for (const name of ['change', 'changed', 'left', 'back', 'lost'])
      await sql`select graphile_worker.add_job(${`mail-email-${name}`}, ${JSON.stringify({ changeId })}::json)`.execute(
        shop.db,
      )
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(wanted, '')).toHaveLength(1)
  })

  test('makes the browser known in which it is done', async () => {
    const { token } = await aCustomer(shop)
    const wanted = uniqueEmail()
    await ask(token, wanted)
    const { headers } = await confirm(await confirmToken(shop, wanted))
    expect(headers.get('set-cookie')).toContain('KNOWN-BROWSER')
  })
})

test('an account that is deleted says so at the address from which the change could still be undone', async () => {
  const customer = await aCustomer(shop)
  const { email } = await changeEmail(shop, customer)
  expect((await eraseAccount(shop, { ...customer, email })).status).toBe(200)
  for (const address of [email, customer.email])
    await mailbox(shop).latest(address, 'Your account at Hedgerow has been deleted')
})

test('changes are forgotten a week after nothing can be done with them any more', async () => {
  const { token, id } = await aCustomer(shop)
  const changes = () =>
    shop.db.selectFrom('email_changes').select('id').where('customer_id', '=', id).execute()
  await ask(token, uniqueEmail())
  await shop.call('DELETE', '/api/v1/user/email', { token })
  await hurry(shop, 'tidy-up')
  await queueIsEmpty(shop)
  expect(await changes()).toHaveLength(1)
  await sql`update email_changes set ended_at = now() - interval '7 days 1 minute' where customer_id = ${id}`.execute(
    shop.db,
  )
  await until(async () => {
    await hurry(shop, 'tidy-up')
    return (await changes()).length === 0
  })
})

test('an operator finds the account by the address that it had', async () => {
  const customer = await aCustomer(shop)
  const pending = uniqueEmail('pending')
  const { email } = await changeEmail(shop, customer)
  await ask(customer.token, pending)
  const found = await runOps(opsSettings(shop), 'customer', 'find', '--words', customer.email)
  expect([found.code, found.out]).toEqual([0, expect.stringContaining(email)])
  expect((await runOps(opsSettings(shop), 'customer', 'find', '--words', pending)).out).not.toContain(email)
})

test('the data of an account tell its changes, and no link', async () => {
  const customer = await aCustomer(shop)
  const { email, undo } = await changeEmail(shop, customer)
  const { body, text } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
  expect(body.emailChanges).toMatchObject([
    { oldEmail: customer.email, newEmail: email, changedAt: expect.any(String), endedAt: null },
  ])
  expect(text).not.toContain(undo)
})
