import { randomBytes, randomUUID } from 'node:crypto'
import { hashToken, newToken } from '#platform/crypto/tokens.ts'
import type { TestShop } from '#testing/test-shop.ts'

/**
 * A passkey, an authenticator app, two recovery codes of which one was used, and a log-in under way, as rows. Returns what
 * is shown to no one, as it could be written somewhere.
 */
export const aGuard = async (
  { db }: Pick<TestShop, 'db'>,
  customerId: string,
): Promise<Record<string, string>> => {
  const [credential, publicKey, secret, pending] = [32, 77, 48, 48].map((bytes) => randomBytes(bytes)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const codes = [`$argon2id$unused$${newToken()}`, `$argon2id$used$${newToken()}`]
  const ticketHash = hashToken(newToken())
  const wayBackHash = hashToken(newToken())
  const challenge = randomBytes(32).toString('base64url')
  await db
    .updateTable('customers')
    .set({
      second_step_at: new Date(Date.now() - 3_700_000),
      second_step_ends_at: new Date(Date.now() + 6 * 86_400_000),
      way_back_hash: wayBackHash,
    })
    .where('id', '=', customerId)
    .execute()
  await db
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      customer_id: customerId,
      credential_id: credential,
      public_key: publicKey,
      counter: 7_341,
      transports: ['usb', 'nfc'],
      is_synced: true,
      name: 'Yubi on the ring',
    })
    .execute()
  await db
    .insertInto('totp_secrets')
    .values({
      customer_id: customerId,
      secret_encrypted: secret,
      confirmed_at: new Date(Date.now() - 3_600_000),
      last_step: Math.floor(Date.now() / 30_000),
      pending_encrypted: pending,
      pending_until: new Date(Date.now() + 600_000),
    })
    .execute()
  for (const [at, code_hash] of codes.entries())
    await db
      .insertInto('recovery_codes')
      .values({ id: randomUUID(), customer_id: customerId, code_hash, used_at: at === 0 ? null : new Date() })
      .execute()
  await db
    .insertInto('auth_challenges')
    .values({
      token_hash: ticketHash,
      purpose: 'second-step',
      customer_id: customerId,
      challenge,
      expires_at: new Date(Date.now() + 600_000),
    })
    .execute()
  const held = { publicKey, secret, pending, ticketHash, wayBackHash }
  const written = Object.entries(held).flatMap(([name, bytes]) =>
    (['hex', 'base64', 'base64url'] as const).map((form) => [`${name} ${form}`, bytes.toString(form)]),
  )
  return { ...Object.fromEntries(written), challenge, unused: codes[0] ?? '', used: codes[1] ?? '' }
}
