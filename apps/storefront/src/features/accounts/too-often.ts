import { ApiError } from '@hedgerow/contract/client'

/** What the server says of how long to wait, beside the message that the specification gives every such failure. */
export const tooOften = (error: unknown): string | undefined =>
  error instanceof ApiError && error.status === 429 ? error.message : undefined
