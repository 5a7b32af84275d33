import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

export type Answers = CallOptions<'clarifyPayment'>['body']['answers']

// Plain calls, not mutations: a mutation's cache would remember what was answered.

export const clarifyPayment = (paymentId: string, answers: Answers) =>
  api.call('clarifyPayment', { params: { paymentId }, body: { answers } })

/** Without a code: has one sent. */
export const authorisePayment = (paymentId: string, code?: string) =>
  api.call('authorisePayment', { params: { paymentId }, body: code === undefined ? {} : { code } })
