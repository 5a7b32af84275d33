import { ApiError } from '@hedgerow/contract/client'
import { referenceOf } from '#lib/message-of.ts'

/** What stands beside the message that the specification gives every such failure: how long to wait, or a reference. */
export const failureDetail = (error: unknown): string | undefined =>
  error instanceof ApiError && error.status === 429 ? error.message : referenceOf(error)
