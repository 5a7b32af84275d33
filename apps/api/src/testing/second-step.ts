import { randomBytes, randomUUID } from 'node:crypto'
import { FACTOR_TRIAL_DAYS } from '@hedgerow/domain/second-step'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { aCustomer, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'db' | 'call'>

const STEP_MS = 30_000

/** What an authenticator app shows, so many steps of 30 s from now. */
export const codeOf = (secret: string, stepsAhead = 0, now = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + stepsAhead * STEP_MS })

/** A code of no step near. */
export const wrongCodeOf = (secret: string): string => codeOf(secret, 1_000)

/** The app may answer again at once: as if a while had passed since its last code. */
export const waitAStep = (shop: Pick<TestShop, 'db'>, customerId: string) =>
  shop.db.updateTable('totp_secrets').set({ last_step: 0 }).where('customer_id', '=', customerId).execute()

export const beginApp = async (shop: Pick<TestShop, 'call'>, token: string): Promise<string> =>
  (await shop.call('POST', '/api/v1/user/totp', { token })).body.secret

export const confirmApp = (shop: Pick<TestShop, 'call'>, token: string, code: unknown) =>
  shop.call('POST', '/api/v1/user/totp/confirm', { token, body: { code } })

export type Guarded = TestCustomer & { secret: string; recoveryCodes: string[] }

/** A customer with an authenticator app, whose next code may come at once. */
export const aGuarded = async (shop: Shop): Promise<Guarded> => {
  const customer = await aCustomer(shop)
  const secret = await beginApp(shop, customer.token)
  const { body } = await confirmApp(shop, customer.token, codeOf(secret))
  await waitAStep(shop, customer.id)
  return { ...customer, secret, recoveryCodes: body.recoveryCodes }
}

type Headers = Record<string, string>

/** The ticket that the right password brings. */
export const aTicket = async (
  shop: Pick<TestShop, 'call'>,
  { email }: Pick<TestCustomer, 'email'>,
  headers: Headers = {},
  password = PASSWORD,
): Promise<string> => {
  const { body } = await shop.call('POST', '/api/v1/user/login', {
    body: { username: email, password },
    headers,
  })
  return body.secondStep.ticket
}

export const answer = (shop: Pick<TestShop, 'call'>, ticket: unknown, given: object, headers: Headers = {}) =>
  shop.call('POST', '/api/v1/user/login/second-step', { body: { ticket, ...given }, headers })

/** A passkey without a device: it is there, and answers nothing. */
export const aDeadPasskey = (shop: Pick<TestShop, 'db'>, customerId: string) =>
  shop.db
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      customer_id: customerId,
      credential_id: randomBytes(32),
      public_key: randomBytes(77),
      counter: 0,
      transports: ['internal'],
      is_synced: false,
      name: 'Phone',
    })
    .execute()

/** All that an account is guarded by was added longer ago than a factor is on trial. */
export const ageFactors = async ({ db }: Pick<TestShop, 'db'>, customerId: string): Promise<void> => {
  const old = sql`now() - make_interval(days => ${FACTOR_TRIAL_DAYS + 1})`
  for (const [table, column, id] of [
    ['passkeys', 'created_at', 'customer_id'],
    ['recovery_codes', 'created_at', 'customer_id'],
    ['totp_secrets', 'confirmed_at', 'customer_id'],
    ['customers', 'second_step_at', 'id'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.id(column)} = ${old}
      where ${sql.id(id)} = ${customerId} and ${sql.id(column)} is not null`.execute(db)
}

/** As if the owner had proved who they are half an hour ago. */
export const leaveAlone = (shop: Pick<TestShop, 'db'>, customerId: string) =>
  shop.db
    .updateTable('sessions')
    .set({ proved_at: new Date(Date.now() - 1_800_000) })
    .where('customer_id', '=', customerId)
    .execute()

export const eventsOf = async (shop: Pick<TestShop, 'db'>, customerId: string): Promise<string[]> => {
  const rows = await shop.db
    .selectFrom('security_events')
    .select('kind')
    .where('customer_id', '=', customerId)
    .orderBy('id')
    .execute()
  return rows.map(({ kind }) => kind)
}
