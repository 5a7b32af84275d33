import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { findCode } from '@hedgerow/testing/card-search'
import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { hashPassword } from '#people/passwords/passwords.ts'
import { ownerOfTotp } from '#people/second-step/check-code.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { startApiProcess } from '#testing/api-process.ts'
import { PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { CARDS, connectionsOf, reached, startPayment } from '#testing/payments.ts'
import { codeOf } from '#testing/second-step.ts'
import { onServer } from '#testing/template-database.ts'
import { environmentOf, openGround } from '#testing/test-shop.ts'

const IP = '203.0.113.77'
const NAME = 'Wilhelmina Featherstonehaugh'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const RECOVERY_CODE = 'WRENS7K4QD2M'
const HOLDER = 'W FEATHERSTONE'
const CVV = '7391'

/** A mail server that refuses everyone, in words that name them, once it is set to; until then it hands mails on. */
const aMoodyMailServer = async (to: number) => {
  let isMoody = false
  const open: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (!isMoody) {
      open.push(socket)
      const onward = connect(to, '127.0.0.1')
      onward.on('error', () => socket.destroy())
      socket.pipe(onward).pipe(socket)
      return
    }
    socket.write('220 moody\r\n')
    socket.on('data', (data) => {
      const [, address] = String(data).match(/^RCPT TO:(<.*>)/) ?? []
      socket.write(address ? `550 5.1.1 ${address}: ${NAME} is not here\r\n` : '250 ok\r\n')
    })
  })
  const turnMoody = () => {
    isMoody = true
    for (const socket of open) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, turnMoody }
}

test('the log of a shop that logs everything names no person and no secret, whatever fails', {
  timeout: 120_000,
}, async () => {
  const ground = await openGround()
  onTestFinished(ground.close)
  const mails = await aMoodyMailServer(ground.sandbox.smtpPort)
  const port = await freePort()
  const metricsPort = await freePort()
  const api = await startApiProcess({
    ...environmentOf(ground, port),
    LOG_LEVEL: 'trace',
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    METRICS_PORT: String(metricsPort),
    CONSOLE_PORT: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
    GATE_SECRET: 'sandbox-secret',
  })
  onTestFinished(() => api.kill())
  const { db } = ground
  const call: typeof api.call = (method, path, options = {}) =>
    api.call(method, path, {
      ...options,
      headers: { 'x-forwarded-for': IP, 'user-agent': BROWSER, ...options.headers },
    })
  const where = { call, db, sandbox: ground.sandbox }
  const secrets: Record<string, string | undefined> = {
    ip: IP,
    name: NAME,
    family: 'Featherstonehaugh',
    password: PASSWORD,
    holder: HOLDER,
    card: CARDS.paid,
    gateSecret: 'sandbox-secret',
    key: ground.env.KEY_ENCRYPTION_KEY,
  }

  // All goes well: an account, a confirmation, a log-in, a purchase, a message to the support.
  const email = uniqueEmail('wilhelmina')
  secrets.email = email
  const signUp = (address: string) =>
    call('POST', '/api/v1/user/create', {
      body: { name: NAME, email: address, signupPassword: PASSWORD, acceptTerms: true },
    })
  expect((await signUp(email)).status).toBe(201)
  secrets.confirmation = tokenIn(await mailbox(where).latest(email, ''), '/confirm')
  await call('GET', `/api/v1/user/confirm/${secrets.confirmation}`)
  const confirmed = await call('POST', `/api/v1/user/confirm/${secrets.confirmation}`, {
    body: { password: PASSWORD },
  })
  expect(confirmed.status, confirmed.text).toBe(200)
  const login = await call('POST', '/api/v1/user/login', { body: { username: email, password: PASSWORD } })
  expect(login.status, login.text).toBe(200)
  let token: string = login.body.access_token
  secrets.token = token
  const phone = '+44 1632 960 961'
  const address = '17 Unmistakable Crescent'
  Object.assign(secrets, { phone, address })
  await call('PUT', '/api/v1/user', { token, body: { ...login.body.profile, phone, addressString: address } })
  const paymentId = await startPayment(where, { token }, await anOrder(where, { token }), {
    card_holder: HOLDER,
    cvv: CVV,
  })
  await reached(where, paymentId, 'Success')
  const [connection] = await connectionsOf(where, paymentId)
  const profile = await call('GET', '/api/v1/user/profile', { token })
  secrets.privateKey = profile.body.connections[0].clientPrivateKey
  await call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
  await until(async () => (await mailbox(where).list(email, 'assword')).length > 0)
  secrets.reset = tokenIn(await mailbox(where).latest(email, 'assword'), '/reset')

  // A second step: its secret, a recovery code, the ticket of a log-in under way, and a proof by each.
  const key = Buffer.from(ground.env.KEY_ENCRYPTION_KEY ?? '', 'base64')
  const { id: customer_id } = await db
    .selectFrom('customers')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const secret_encrypted = createKeyCipher(key).encryptText(TOTP_SECRET, ownerOfTotp(customer_id))
  await db
    .insertInto('totp_secrets')
    .values({ customer_id, secret_encrypted, confirmed_at: new Date() })
    .execute()
  await db
    .insertInto('recovery_codes')
    .values({ id: randomUUID(), customer_id, code_hash: await hashPassword(RECOVERY_CODE) })
    .execute()
  await db
    .updateTable('customers')
    .set({ second_step_at: new Date() })
    .where('id', '=', customer_id)
    .execute()
  const begun = await call('POST', '/api/v1/user/login', { body: { username: email, password: PASSWORD } })
  secrets.ticket = begun.body.secondStep.ticket
  const prove = async (code: string) => {
    const { status, body } = await call('POST', '/api/v1/user/sessions/proof', {
      token: proved,
      body: { code },
    })
    if (status === 200) proved = body.access_token
    return status
  }
  let proved = token
  expect(await prove('WRONGWRONG')).toBe(422)
  expect(await prove(codeOf(TOTP_SECRET))).toBe(200)
  expect(await prove(RECOVERY_CODE)).toBe(200)
  await db.updateTable('customers').set({ second_step_at: null }).where('id', '=', customer_id).execute()
  token = proved
  Object.assign(secrets, { proved, totpSecret: TOTP_SECRET, recoveryCode: RECOVERY_CODE, browser: BROWSER })

  // What customers get wrong.
  await call('POST', '/api/v1/user/login', { body: { username: email, password: `${PASSWORD}x` } })
  await signUp(email)
  await call('POST', '/api/v1/user/login', {
    body: `{"username":"${email}",`,
    headers: { 'content-type': 'application/json' },
  })
  await call('GET', `/api/v1/nowhere/${email}?name=${encodeURIComponent(NAME)}`)
  await call('GET', '/api/v1/user/profile', { token, headers: { 'x-request-id': email } })

  const torn = connect(port, '127.0.0.1', () =>
    torn.write(`GET / HTTP/1.1\r\nnot a header ${email} ${NAME}\r\n\r\n`),
  )
  await once(torn.resume(), 'close')

  // The mail server refuses them by name.
  mails.turnMoody()
  await call('POST', `/api/v1/user/mail/connection/${connection?.id}`, { token })
  await until(() =>
    logLines(api.output()).some(({ msg, job }) => msg === 'a job failed' && job === 'mail-connection'),
  )
  await hurry({ db }, 'mail-connection')

  // The gateway fails.
  for (const failSales of ['500', 'drop-before-accept'] as const) {
    await switchFaults(where, { failSales })
    await startPayment(where, { token }, await anOrder(where, { token }), { card_holder: HOLDER, cvv: CVV })
  }
  await switchFaults(where, { failSales: 'none' })

  // The database refuses rows and tells what stood in them; then it is gone.
  await sql`alter table customers add constraint too_short check (length(name) > 500) not valid`.execute(db)
  expect((await signUp(uniqueEmail('second'))).status).toBe(500)
  const saved = { ...login.body.profile, name: `${NAME} again` }
  expect((await call('PUT', '/api/v1/user', { token, body: saved })).status).toBeGreaterThanOrEqual(400)
  await sql`alter table payments add constraint no_more check (card_holder = '') not valid`.execute(db)
  const order = await anOrder(where, { token })
  const body = { card_holder: HOLDER, cvv: CVV }
  await startPayment(where, { token }, order, body).catch(() => undefined)
  const database = new URL(ground.databaseUrl).pathname.slice(1)
  await onServer(inject('postgresUrl'), `alter database ${database} with allow_connections false`)
  await onServer(
    inject('postgresUrl'),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
  )
  await until(async () => (await call('GET', '/api/v1/user/profile', { token })).status >= 500)
  await onServer(inject('postgresUrl'), `alter database ${database} with allow_connections true`)
  await until(async () => (await call('GET', '/api/v1/user/profile', { token })).status === 200)
  await api.stop()

  const printed = api.output()
  const lines = logLines(printed)
  // It did tell: of calls, by their patterns; of what failed, with codes; of the gateway.
  expect(lines.some(({ msg, route }) => msg === 'answered' && route === '/api/v1/orders/:id')).toBe(true)
  expect(lines.some(({ msg, call }) => msg === 'asked the gateway' && call === 'sale')).toBe(true)
  expect(lines.filter(({ msg }) => msg === 'request failed')).toContainEqual(
    expect.objectContaining({ err: expect.objectContaining({ code: '23514', constraint: 'too_short' }) }),
  )
  expect(lines.some(({ level }) => level === 10)).toBe(true)
  // And of what happened to the account, with who called as coarsely as it is kept.
  for (const securityEvent of ['log-in', 'log-in-failed', 'ask-again-failed', 'recovery-code-used'])
    expect(lines.filter(({ msg }) => msg === 'security event')).toContainEqual(
      expect.objectContaining({
        securityEvent,
        customerId: customer_id,
        browser: 'Firefox on Linux',
        network: '203.0.113.0/24',
        requestId: expect.any(String),
      }),
    )
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret, what).toMatch(/.{4}/)
    expect({ what, isLogged: printed.includes(secret ?? '') }).toEqual({ what, isLogged: false })
    expect({ what, isLogged: printed.includes(encodeURIComponent(secret ?? '')) }).toEqual({
      what,
      isLogged: false,
    })
  }
  expect(printed).not.toMatch(/[\w.]+@example\.org/)
  // Its four digits stand in many an id and a time by chance.
  expect(findCode(printed, CVV)).toEqual([])
})
