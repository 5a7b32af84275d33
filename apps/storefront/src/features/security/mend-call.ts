import { ApiError } from '@hedgerow/contract/client'
import { forgetEndedToken, isRenewed, readToken } from '#lib/access-token.ts'
import { isSoon } from '#lib/token-soon.ts'

/** So long after the server has ended a token, the tab that renewed it may not have told the others yet. */
const PATIENCE_MS = 1000

const isOver = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** With the token as it is now. */
const again = async <R>(call: () => Promise<R>): Promise<R> => {
  const token = readToken()
  try {
    return await call()
  } catch (error) {
    if (token && isOver(error)) forgetEndedToken(token)
    throw error
  }
}

let asking: Promise<boolean> | undefined

/** Several calls that need it at once ask once. */
const askOwner = (): Promise<boolean> => {
  asking ??= import('#features/security/ask-again.tsx')
    .then(({ askAgain }) => askAgain())
    .finally(() => {
      asking = undefined
    })
  return asking
}

const declined = ({ problem }: ApiError) =>
  new ApiError({ ...problem, detail: 'You did not confirm that it is you, so nothing was changed.' })

/**
 * What becomes of a call that was refused because of its session. Where the owner has to show again who they are, they are
 * asked, and then it is made once more; where they would rather not, it throws what `isDeclined` knows. Where the session
 * goes on by another token than was `sent`, it is made once more, too. Otherwise the session is over.
 */
export const mendCall = async <R>(refusal: ApiError, sent: string, call: () => Promise<R>): Promise<R> => {
  if (!isOver(refusal)) {
    // While this call was under way, another one may have asked.
    if (isRenewed(sent) || (await askOwner())) return again(call)
    throw declined(refusal)
  }
  await isSoon(() => readToken() !== sent, PATIENCE_MS)
  if (isRenewed(sent)) return again(call)
  forgetEndedToken(sent)
  throw refusal
}
