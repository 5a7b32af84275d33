import { ApiError } from '@hedgerow/contract/client'

/** By what the support finds a failure of ours in the log; nothing where there is no such failure. */
export const referenceOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.isUnexpected && error.problem.requestId
    ? `Reference ${error.problem.requestId}`
    : undefined

/** What the customer reads about a call that failed. */
export const messageOf = (error: unknown): string => {
  if (!(error instanceof ApiError))
    return 'We could not reach the server. Check your connection and try again.'
  const reference = referenceOf(error)
  return reference ? `${error.message} ${reference}` : error.message
}
