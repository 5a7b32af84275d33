import { expectAlike, expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '#people/passwords/passwords.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import { aCustomer, aSession, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const logIn = (username: unknown, password: unknown) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })
const profile = (token?: string) => shop.call('GET', '/api/v1/user/profile', { token })
const logOut = (token?: string) => shop.call('POST', '/api/v1/user/logout', { token })

describe('POST /api/v1/user/login', () => {
  test('answers a token and the profile', async () => {
    const { email, name } = await aCustomer(shop)
    const { status, body } = await logIn(email, PASSWORD)
    expect(status).toBe(200)
    expect(body.profile).toMatchObject({ email, name, connections: [] })
    expect((await profile(body.access_token)).body).toEqual(body.profile)
  })

  test('takes the email in any case, and with spaces around it', async () => {
    const { email } = await aCustomer(shop)
    expect((await logIn(email.toUpperCase(), PASSWORD)).status).toBe(200)
    expect((await logIn(` ${email} `, PASSWORD)).status).toBe(200)
  })

  test('takes an accented letter however a keyboard writes it', async () => {
    const email = uniqueEmail()
    const signupPassword = 'cafe\u0301 in the hedge'
    const signup = { name: 'Ada', email, signupPassword, acceptTerms: true }
    expect((await shop.call('POST', '/api/v1/user/create', { body: signup })).status).toBe(201)
    await shop.db
      .updateTable('customers')
      .set({ confirmed_at: new Date() })
      .where('email', '=', email)
      .execute()
    expect((await logIn(email, 'caf\u00e9 in the hedge')).status).toBe(200)
  })

  test('answers a wrong email and a wrong password alike', async () => {
    const { email } = await aCustomer(shop)
    const wrongPassword = expectProblem(await logIn(email, 'not the password'), 401)
    const wrongEmail = expectProblem(await logIn(uniqueEmail('nobody'), PASSWORD), 401)
    expectAlike(wrongEmail, wrongPassword)
    expect(wrongEmail.headers.get('www-authenticate')).toBe(wrongPassword.headers.get('www-authenticate'))
  })

  test('starts nothing with a password that is changed in the same moment', async () => {
    const { id, email } = await aCustomer(shop)
    const isWaited = () => areWaiting(shop)
    const { attempt } = await shop.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('customers')
        .set({ password_hash: await hashPassword('a robin on the gate 17') })
        .where('id', '=', id)
        .execute()
      const attempt = logIn(email, PASSWORD)
      await Promise.race([attempt, expect.poll(isWaited).toBe(true)])
      return { attempt }
    })
    expectProblem(await attempt, 401)
    const sessions = await shop.db.selectFrom('sessions').selectAll().where('customer_id', '=', id).execute()
    expect(sessions).toHaveLength(1)
  })

  test('tells who knows the password of an unconfirmed account what to do', async () => {
    const { email } = await aCustomer(shop, { isConfirmed: false })
    expect(expectProblem(await logIn(email, PASSWORD), 401).body.detail).toMatch(/confirm your email/i)
  })

  test('tells a stranger nothing of an unconfirmed account', async () => {
    const { email } = await aCustomer(shop, { isConfirmed: false })
    const unconfirmed = expectProblem(await logIn(email, 'not the password'), 401)
    const unknown = expectProblem(await logIn(uniqueEmail('nobody'), 'not the password'), 401)
    expectAlike(unconfirmed, unknown)
  })

  test.each([
    ['username', '', 'Login is necessary to enter the site'],
    ['username', undefined, 'Login is necessary to enter the site'],
    ['password', '', 'Password is required to enter the site'],
    ['password', undefined, 'Password is required to enter the site'],
    ['password', 'short', 'The password cannot be shorter than 8 characters'],
  ])('refuses %s %j: %s', async (field, value, message) => {
    const body = { username: 'ada@example.org', password: PASSWORD, [field]: value }
    const reply = await shop.call('POST', '/api/v1/user/login', { body })
    expect(messageFor(expectProblem(reply, 422), field)).toBe(message)
  })

  test('refuses an email with a null character', async () => {
    expectProblem(await logIn('ada\u0000@example.org', PASSWORD), 400)
  })

  test('keeps the token only as its hash', async () => {
    const { email, id } = await aCustomer(shop)
    const { access_token } = (await logIn(email, PASSWORD)).body
    const sessions = await shop.db.selectFrom('sessions').selectAll().where('customer_id', '=', id).execute()
    const stored = sessions.map(({ token_hash }) => token_hash.toString('base64url'))
    expect(stored).toContain(hashToken(access_token).toString('base64url'))
    expect(stored).not.toContain(access_token)
  })
})

describe('POST /api/v1/user/logout', () => {
  test('ends the session on the server', async () => {
    const { token } = await aCustomer(shop)
    expect((await logOut(token)).status).toBe(200)
    expectProblem(await profile(token), 401)
    expectProblem(await logOut(token), 401)
  })

  test('leaves the customer’s other sessions and those of others', async () => {
    const customer = await aCustomer(shop)
    const other = await aCustomer(shop)
    const second = await aSession(shop, customer.id)
    await logOut(customer.token)
    expect([(await profile(second)).status, (await profile(other.token)).status]).toEqual([200, 200])
  })
})

describe('GET /api/v1/user/profile', () => {
  test('shows every field of the specification, and nothing more', async () => {
    const { customer } = await aPurchase(shop)
    const { body } = await profile(customer.token)
    expect(Object.keys(body).sort()).toEqual(
      [
        '_id',
        'addressCity',
        'addressCountry',
        'addressString',
        'addressZip',
        'connections',
        'email',
        'firstName',
        'lastName',
        'name',
        'phone',
        'promocode',
        'version',
      ].sort(),
    )
    expect(Object.keys(body.connections[0]).sort()).toEqual(
      [
        '_id',
        'address',
        'allowedIPs',
        'clientPrivateKey',
        'dns',
        'endpoint',
        // Ours.
        'status',
        'features',
        'fileName',
        'filters',
        'location',
        'isRenewable',
        'lastBought',
        'cancellable',
        'disguiseForApps',
        'sharedAt',
        'sharedUntil',
        'expirationDate',
        'name',
        'presharedKey',
        'serverPublicKey',
      ].sort(),
    )
  })

  test('shows customers their own connections only', async () => {
    const [ada, eve] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    const seenByAda = await profile(ada.customer.token)
    const seenByEve = await profile(eve.customer.token)
    for (const { _id, clientPrivateKey, address } of seenByEve.body.connections) {
      for (const secret of [_id, clientPrivateKey, address]) expect(seenByAda.text).not.toContain(secret)
    }
    expect(seenByAda.text).not.toContain(eve.customer.email)
    expect(seenByAda.body.connections).toHaveLength(3)
  })

  test.each([
    ['none', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['a made-up one', { authorization: `Bearer ${'a'.repeat(43)}` }],
    ['one of another scheme', { authorization: 'Basic YWRhOmFkYQ==' }],
    ['one with a quote', { authorization: "Bearer '; drop table customers; --" }],
  ])('is refused to a caller with %s for a token', async (_, headers) => {
    const reply = await shop.call('GET', '/api/v1/user/profile', {
      headers: headers as Record<string, string>,
    })
    expectProblem(reply, 401)
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('is refused once the session has expired', async () => {
    const { token } = await aCustomer(shop)
    await shop.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('token_hash', '=', hashToken(token))
      .execute()
    expectProblem(await profile(token), 401)
  })

  test('is never kept by a cache', async () => {
    const { token } = await aCustomer(shop)
    expect((await profile(token)).headers.get('cache-control')).toBe('no-store')
  })
})
