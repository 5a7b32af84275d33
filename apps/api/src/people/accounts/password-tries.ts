import { hashToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'
import { refuseTooMany } from '#platform/http/limits/rate-counter.ts'

const MINUTES_15_S = 900
const TRIES_OF_SESSION = 10
/** Of all sessions together, which cannot be started without the password. */
const TRIES_OF_ACCOUNT = 100

/**
 * Counts what tells whether a password is right: one count for all that asks for it. Each session has its own, looked at
 * first, so that a stolen one leaves the owner's alone. Throws 'too-many-requests'.
 */
export const countPasswordTry = (
  { rateCounter }: With<'rateCounter'>,
  customerId: string,
  sessionToken: string,
): Promise<void> => {
  const session = hashToken(sessionToken).toString('hex')
  const seconds = MINUTES_15_S
  return refuseTooMany(rateCounter, [
    { name: 'password tries of a session', of: session, most: TRIES_OF_SESSION, seconds },
    { name: 'password tries', of: customerId, most: TRIES_OF_ACCOUNT, seconds },
  ])
}
