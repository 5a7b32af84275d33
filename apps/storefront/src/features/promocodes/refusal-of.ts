import { ApiError } from '@hedgerow/contract/client'
import { messageOf } from '#lib/message-of.ts'

/** Why a code was not taken, in the server's words: those of the field, if there are any. */
export const refusalOf = (error: unknown): string =>
  (error instanceof ApiError && error.problem.errors?.find(({ path }) => path === 'promocode')?.message) ||
  messageOf(error)
