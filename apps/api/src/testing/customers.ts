import { randomUUID } from 'node:crypto'
import type { Reply } from '@hedgerow/testing/call'
import { sql } from 'kysely'
import { hashPassword } from '#people/passwords/passwords.ts'
import { hashToken, newPromocode, newToken } from '#platform/crypto/tokens.ts'
import type { TestShop } from '#testing/test-shop.ts'

export type TestCustomer = { id: string; email: string; name: string; password: string; token: string }

/** The password of every customer made here: hashed once, because hashing is slow by design. */
export const PASSWORD = 'a wren in the hedge 42'
let passwordHash: Promise<string> | undefined

export const uniqueEmail = (name = 'ada'): string => `${name}.${randomUUID().slice(0, 13)}@example.org`

type Shop = Pick<TestShop, 'db'>

/** A session for the customer, as logging in starts one. */
export const aSession = async ({ db }: Shop, customerId: string): Promise<string> => {
  const token = newToken()
  const expires_at = new Date(Date.now() + 86_400_000)
  await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), customer_id: customerId, expires_at })
    .execute()
  return token
}

/** It was proved longer ago whose session it is than the shop takes for recent. */
export const letProofAge = ({ db }: Shop, { token }: Pick<TestCustomer, 'token'>, minutes = 16) =>
  sql`update sessions set proved_at = now() - make_interval(mins => ${minutes})
    where token_hash = ${hashToken(token)}`.execute(db)

type Given = { name?: string; email?: string; isConfirmed?: boolean }

/** A customer who has confirmed and logged in. */
export const aCustomer = async (shop: Shop, given: Given = {}): Promise<TestCustomer> => {
  const { name = 'Ada Lovelace', email = uniqueEmail(), isConfirmed = true } = given
  passwordHash ??= hashPassword(PASSWORD)
  const id = randomUUID()
  await shop.db
    .insertInto('customers')
    .values({
      id,
      email: email.toLowerCase(),
      name,
      promocode: newPromocode(),
      password_hash: await passwordHash,
      confirmed_at: isConfirmed ? new Date() : null,
    })
    .execute()
  return { id, email, name, password: PASSWORD, token: await aSession(shop, id) }
}

export type Leaver = Pick<TestCustomer, 'email' | 'token'>

/** Deletes the account, as its form does; `given` is what was typed instead. */
export const eraseAccount = (
  shop: Pick<TestShop, 'call'>,
  { email, token }: Leaver,
  given: object = {},
): Promise<Reply> =>
  shop.call('DELETE', '/api/v1/user', { token, body: { email, password: PASSWORD, ...given } })
