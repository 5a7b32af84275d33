import { PROOF_MINUTES } from '@hedgerow/domain/sessions'
import { secondsSinceProof } from '#people/sessions/sessions.queries.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

/** Whose session it is, and which. */
export type Caller = { customerId: string; sessionToken: string }

/** Whether the owner of the session was proved a moment ago. Throws 'not-signed-in' when it has ended. */
export const isRecentlyProved = async (
  { db }: With<'db'>,
  { sessionToken }: Pick<Caller, 'sessionToken'>,
): Promise<boolean> => {
  const seconds = await secondsSinceProof(db, hashToken(sessionToken))
  // This process may not have heard of it yet.
  if (seconds === undefined) throw new Problem('not-signed-in')
  return seconds <= PROOF_MINUTES * 60
}

/**
 * Before money or keys go out, or it changes who gets in. Throws 'ask-again' where the last proof is too old, and
 * 'not-signed-in' when the session has ended.
 */
export const requireProof = async (deps: With<'db'>, caller: Pick<Caller, 'sessionToken'>): Promise<void> => {
  if (!(await isRecentlyProved(deps, caller))) throw new Problem('ask-again')
}
