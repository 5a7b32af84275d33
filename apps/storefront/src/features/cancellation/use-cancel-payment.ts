import type { Cancellation } from '@hedgerow/contract/cancellations'
import { ApiError } from '@hedgerow/contract/client'
import type { Problem } from '@hedgerow/contract/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cancellationQuery } from '#features/cancellation/cancellation-query.ts'
import { refundOf } from '#features/cancellation/describe-cancellation.ts'
import { api } from '#lib/api.ts'
import { messageOf } from '#lib/message-of.ts'

type Failure = { kind: 'problem' | 'warning'; title: string; text: string; count: number }

const UNPROCESSABLE = 422

/** It may have been cancelled all the same. */
const isUnknown = (error: unknown) => !(error instanceof ApiError) || error.isUnexpected

/**
 * Cancels a payment for the sum that is shown. Whatever fails is asked about anew: the sum may be another by now, the
 * password be needed, or the payment be cancelled by a press whose answer was lost.
 */
export const useCancelPayment = (
  paymentId: string,
  shown: Cancellation,
  refuse: (problem: Problem) => boolean,
) => {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<Failure>()
  const query = cancellationQuery(paymentId)

  const fail = (failure: Omit<Failure, 'count'>) =>
    setProblem((last) => ({ ...failure, count: (last?.count ?? 0) + 1 }))

  const explain = async (error: unknown) => {
    if (isUnknown(error)) {
      fail({
        kind: 'problem',
        title: 'We do not know whether it was cancelled',
        text: `${messageOf(error)} You can press again: it is cancelled and paid back once.`,
      })
      return
    }
    const now = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => shown)
    const isPassword = now.asksPassword && error instanceof ApiError && error.status === UNPROCESSABLE
    if (isPassword && refuse(error.problem)) return
    if (now.refund === shown.refund) {
      fail({ kind: 'problem', title: 'It was not cancelled', text: messageOf(error) })
      return
    }
    fail({
      kind: 'warning',
      title: `The sum is ${refundOf(now)} now`,
      text: 'Time was used since it was shown. Nothing is cancelled yet: press again if you still want to.',
    })
  }

  const cancel = async (password: string | undefined) => {
    setProblem(undefined)
    const body = { refund: shown.refund, ...(password ? { password } : {}) }
    try {
      const cancelled = await api.call('cancelPayment', { params: { paymentId }, body })
      queryClient.setQueryData(query.queryKey, cancelled)
    } catch (error) {
      await explain(error)
    }
  }

  return { cancel, problem }
}
