import { ApiError } from '@hedgerow/contract/client'

/** What to tell the customer about a call that failed. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError
    ? error.message
    : 'We could not reach the server. Check your connection and try again.'
