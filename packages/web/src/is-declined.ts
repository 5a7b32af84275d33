import { ApiError } from '@hedgerow/contract/client'

/** The owner was asked who they are and would rather not say. They know that nothing was done: no need to tell them. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'ask-again'
