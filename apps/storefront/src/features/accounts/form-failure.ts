import { ApiError } from '@hedgerow/contract/client'
import { referenceOf } from '@hedgerow/web/message-of.ts'

/** Why a form was not taken, as it stands above its fields. */
export type FormFailure = { message: string; detail?: string | undefined; takesFocus: boolean }

/** What stands beside the message that the specification gives every such failure: how long to wait, or a reference. */
export const failureDetail = (error: unknown): string | undefined =>
  error instanceof ApiError && error.status === 429 ? error.message : referenceOf(error)
