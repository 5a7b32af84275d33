import type { Cancellation } from '@hedgerow/contract/cancellations'
import { ApiError } from '@hedgerow/contract/client'
import type { Problem } from '@hedgerow/contract/endpoint'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cancellationQuery } from '#features/cancellation/cancellation-query.ts'
import { refundOf } from '#features/cancellation/describe-cancellation.ts'
import { api } from '#lib/api.ts'

type Failure = { kind: 'problem' | 'warning'; title: string; text: string; count: number }

const CONFLICT = 409
const UNPROCESSABLE = 422

/** Otherwise it may have been cancelled all the same. */
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && !error.isUnexpected

/**
 * Cancels a payment for the sum that is shown. After a refusal it is asked about anew: the sum may be another by now, the
 * password be needed, or the time be over.
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
    if (isDeclined(error)) return
    if (!isRefusal(error)) {
      fail({
        kind: 'problem',
        title: 'We could not confirm the cancellation',
        text: `${messageOf(error)} You can press the button again. It will be cancelled and refunded only once.`,
      })
      return
    }
    const isRefusedAtField = ({ asksPassword }: Cancellation) =>
      asksPassword && error.status === UNPROCESSABLE && refuse(error.problem)
    if (isRefusedAtField(shown)) return
    const now = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(() => shown)
    if (isRefusedAtField(now)) return
    if (error.status !== CONFLICT || now.refund === shown.refund) {
      fail({ kind: 'problem', title: 'It was not cancelled', text: messageOf(error) })
      return
    }
    fail({
      kind: 'warning',
      title: `The refund is now ${refundOf(now)}`,
      text: 'More time has been used since it was shown. Nothing has been cancelled yet. Press again if you still want to.',
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
