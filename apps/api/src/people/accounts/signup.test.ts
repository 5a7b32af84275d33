import { linkIn, mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, uniqueEmail } from '#testing/customers.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const PASSWORD = 'hedge sparrow 7'

const aSignup = (given: object = {}) => ({
  name: 'Ada Lovelace',
  email: uniqueEmail(),
  signupPassword: PASSWORD,
  acceptTerms: true,
  ...given,
})

const signUp = (body: object) => shop.call('POST', '/api/v1/user/create', { body })
const logIn = (username: string, password: string) =>
  shop.call('POST', '/api/v1/user/login', { body: { username, password } })

const findCustomer = (email: string) =>
  shop.db.selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirst()

describe('POST /api/v1/user/create', () => {
  test('opens an account and mails a link to confirm it', async () => {
    const body = aSignup()
    const reply = await signUp(body)
    expect([reply.status, reply.body]).toEqual([201, { email: body.email, signupSecret: expect.any(String) }])
    const mail = await mailbox(shop).latest(body.email, 'Confirm your email')
    expect(linkIn(mail, '/confirm/')).toMatch(`${shop.url}/confirm/`)
    expect(mail.html).toContain(linkIn(mail, '/confirm/'))
  })

  test.each([
    ['name', undefined, 'Name is mandatory for registration'],
    ['name', '', 'Name is mandatory for registration'],
    ['name', '   ', 'Name is mandatory for registration'],
    ['name', '\u200b\u3164\u2060', 'Name is mandatory for registration'],
    ['name', 'A', 'The name should not be shorter than 2 letters'],
    ['name', ' A ', 'The name should not be shorter than 2 letters'],
    ['name', 'a'.repeat(101), 'The name cannot be longer than 100 characters'],
    ['name', 7, 'Name is mandatory for registration'],
    ['email', undefined, 'Email is required for registration'],
    ['email', '', 'Email is required for registration'],
    ['email', 'ada', 'Enter correct email address'],
    ['email', 'ada@example', 'Enter correct email address'],
    ['email', 'ada@example.org\r\nBcc: all@example.org', 'Enter correct email address'],
    ['email', 'ada\u0000@example.org', 'Enter correct email address'],
    ['email', `${'a'.repeat(250)}@example.org`, 'The email cannot be longer than 254 characters'],
    ['signupPassword', undefined, 'Password is required for registration'],
    ['signupPassword', '', 'Password is required for registration'],
    ['signupPassword', 'seven 7', 'The password should not be shorter than 8 characters'],
    ['signupPassword', 'x'.repeat(129), 'The password cannot be longer than 128 characters'],
    ['acceptTerms', false, 'You have to accept terms and policy'],
    ['acceptTerms', undefined, 'You have to accept terms and policy'],
    ['acceptTerms', 'true', 'You have to accept terms and policy'],
  ])('refuses %s %j: %s', async (field, value, message) => {
    const body = aSignup({ [field]: value })
    const reply = expectProblem(await signUp(body), 422)
    expect(messageFor(reply, field)).toBe(message)
  })

  test('names every field that is wrong', async () => {
    const reply = expectProblem(await signUp({}), 422)
    const paths = reply.body.errors.map((error: { path: string }) => error.path).sort()
    expect(paths).toEqual(['acceptTerms', 'email', 'name', 'signupPassword'])
  })

  test.each([
    'password1',
    'PASSWORD1',
    'Password1!',
    'qwertyuiop',
    '123456789',
    // Among the half million of breaches, and not among the first ten thousand.
    'a1b2c3d4e5f6',
    '        ',
    'aaaaaaaaaaaa',
    'xyxyxyxyxy',
  ])('refuses the common password %s', async (signupPassword) => {
    const body = aSignup({ signupPassword })
    const reply = expectProblem(await signUp(body), 422)
    expect(messageFor(reply, 'signupPassword')).toMatch(/too common/)
    expect(await findCustomer(body.email)).toBeUndefined()
  })

  test.each([
    ['hedgerow1', {}],
    ['Hedgerow-2026', {}],
    ['wilhelmina.b', { email: () => uniqueEmail('wilhelmina.b') }],
    ['WilhelminaB!', { name: 'Wilhelmina B' }],
  ])('refuses the password %s, which is made of names that are known', async (signupPassword, given) => {
    const email = 'email' in given ? given.email() : uniqueEmail()
    const body = aSignup({ ...given, email, signupPassword })
    const reply = expectProblem(await signUp(body), 422)
    expect(messageFor(reply, 'signupPassword')).toMatch(/too close to your name/)
    expect(await findCustomer(body.email)).toBeUndefined()
  })

  test.each([
    'https://evil.example/pay',
    'You won! evil.example',
    'www.evil',
    'Ada evil。com',
    'ask bob@evil.example',
    'x.com',
    't.me/evil',
    'Ada ＠ evil',
  ])('refuses the name %j: our mails greet by it', async (name) => {
    const reply = expectProblem(await signUp(aSignup({ name })), 422)
    expect(messageFor(reply, 'name')).toMatch(/cannot contain a web or email address/)
  })

  test('takes a password of 128 characters', async () => {
    expect((await signUp(aSignup({ signupPassword: 'x7 '.repeat(43).slice(0, 128) }))).status).toBe(201)
  })

  test.each(['only small letters', '246813579081', 'ОСЕННИЙЛИСТ', '🦊🐻🐼🐨🐯🦁🐮🐷', '-_-/\\-_-/\\'])(
    'takes a password of any signs: %s',
    async (signupPassword) => {
      expect((await signUp(aSignup({ signupPassword }))).status).toBe(201)
    },
  )

  test('refuses an email that is taken with 406, in whatever case it is written', async () => {
    const body = aSignup()
    await signUp(body)
    for (const email of [body.email, body.email.toUpperCase(), ` ${body.email} `]) {
      const reply = expectProblem(await signUp({ ...body, email, signupPassword: 'another wren 8' }), 406)
      expect(reply.body.detail).toMatch(/already registered/)
    }
  })

  test('opens one account for one email, however many ask at once', async () => {
    const body = aSignup()
    const names = Array.from({ length: 8 }, (_, at) => `Ada ${at}`)
    const statuses = await Promise.all(names.map(async (name) => (await signUp({ ...body, name })).status))
    expect(statuses.sort()).toEqual([201, ...Array(7).fill(406)])
  })

  test('answers its own sender alike, who pressed twice or lost the answer, until the address is confirmed', async () => {
    const body = aSignup()
    const [one, other] = await Promise.all([signUp(body), signUp(body)])
    expect([one.status, other.status]).toEqual([201, 201])
    expect(other.body).toEqual(one.body)
    await queueIsEmpty(shop)
    const mails = await mailbox(shop).list(body.email, 'Confirm your email')
    expect(mails).toHaveLength(1)
    const token = tokenIn(await mailbox(shop).latest(body.email, 'Confirm your email'), '/confirm/')
    const proof = { signupSecret: other.body.signupSecret }
    expect((await shop.call('POST', `/api/v1/user/confirm/${token}`, { body: proof })).status).toBe(200)
    expectProblem(await signUp(body), 406)
  })

  test('does so for a few minutes: after that a guesser would learn the password', async () => {
    const body = aSignup()
    await signUp(body)
    await sql`update customers set created_at = now() - interval '11 minutes' where email = ${body.email}`.execute(
      shop.db,
    )
    expectProblem(await signUp(body), 406)
  })

  test.each([
    ['a right-to-left override', '\u202e'],
    ['a right-to-left mark', '\u200f'],
    ['an isolate', '\u2067'],
    ['an Arabic letter mark', '\u061c'],
    ['a line break', '\n'],
    ['a line separator', '\u2028'],
    ['an escape', '\u001b'],
    ['a null', '\u0000'],
    ['half a character', '\ud83d'],
  ])('refuses a name with %s', async (_, character) => {
    const reply = expectProblem(await signUp(aSignup({ name: `Ada${character}gro` })), 422)
    expect(messageFor(reply, 'name')).toBe('The name contains characters that cannot be used')
  })

  test.each([
    'Zoë Łukasiewicz',
    'J.R.R.Tolkien',
    'Dr. No',
    'Ada St. John Jr.',
    "O'Neil-Smith",
    '李小龍',
    'أحمد',
  ])('takes the name %s', async (name) => {
    expect((await signUp(aSignup({ name }))).status).toBe(201)
  })

  test('refuses a name that no invoice could show', async () => {
    const reply = expectProblem(await signUp(aSignup({ name: 'Ada 😀' })), 422)
    expect(messageFor(reply, 'name')).toMatch(/^We cannot print these characters on your invoice/)
  })

  test('greets no one by the name that was typed until the address is confirmed', async () => {
    const body = aSignup({ name: 'Call 0900 123 now' })
    await signUp(body)
    const confirmation = await mailbox(shop).latest(body.email, 'Confirm your email')
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: body.email } })
    const reset = await mailbox(shop).latest(body.email, 'new password')
    for (const { text, html } of [confirmation, reset]) expect(text + html).not.toContain('0900')
  })

  test('leaves HTML in a name inert in the mail', async () => {
    const { email } = await aCustomer(shop, { name: '<img src=x onerror=alert(1)>"\'&' })
    await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
    const mail = await mailbox(shop).latest(email, 'new password')
    expect(mail.html).not.toContain('<img')
    expect(mail.html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
    expect(mail.text).toContain('Hello <img src=x onerror=alert(1)>')
  })

  test('keeps the password only as an argon2id hash, and the link’s token only as its hash', async () => {
    const body = aSignup({ signupPassword: 'plain words nobody keeps' })
    await signUp(body)
    const mail = await mailbox(shop).latest(body.email, 'Confirm')
    const row = await findCustomer(body.email)
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const token = linkIn(mail, '/confirm/').split('/').at(-1) ?? ''
    const links = await shop.db.selectFrom('account_links').selectAll().execute()
    expect(links.map((link) => link.token_hash.toString('base64url'))).not.toContain(token)
  })

  test('counts the whole password, also beyond 72 bytes', async () => {
    const start = 'a'.repeat(80)
    const body = aSignup({ signupPassword: `${start} right` })
    await signUp(body)
    const right = await logIn(body.email, `${start} right`)
    const wrong = await logIn(body.email, `${start} wrong`)
    // With the password one learns that the address waits for its confirmation.
    expect([right.body.detail, wrong.body.detail]).toEqual([
      expect.stringMatching(/confirm/i),
      expect.stringMatching(/is wrong/),
    ])
  })
})
