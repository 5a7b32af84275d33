import { ApiError } from '@hedgerow/contract/client'
import type { Problem } from '@hedgerow/contract/endpoint'
import { useState } from 'react'
import { useLeaveForResult } from '#features/payments/use-leave-for-result.ts'
import { useRemoval } from '#features/payments/use-removal.ts'

/** Why a payment was not taken, where the customer can do something about it here. */
export type Trouble =
  | { kind: 'lost' }
  | { kind: 'closed' | 'refused'; message: string }
  /** The promocode was not taken. It can be removed here. */
  | { kind: 'promocode'; message: string }
  /** It could not be removed either. */
  | { kind: 'promocode-kept'; message: string }
  /** The attempt under way keeps the promocode as it is. */
  | { kind: 'promocode-held'; paymentId: string | undefined }
  | { kind: 'promocode-removed' }
  /** Another attempt is under way; one that a bank is working on cannot be left. */
  | { kind: 'under-way' | 'at-work'; paymentId: string }

type Submit<V> = (send: (values: V) => Promise<void>) => () => Promise<void>

type UsePayment<V> = {
  form: { submit: Submit<V>; refuse: (problem: Problem) => boolean; isBusy: boolean }
  /** Answers the payment's id. `instead` is the attempt that is left for this one. */
  pay: (values: V, instead?: string) => Promise<string>
  /** What is paid for may not be as it was shown: ask again. */
  onChanged: () => void
  onReject: () => void
  /** Takes the promocode off what is paid, if it has one. */
  removePromocode?: (() => Promise<void>) | undefined
  /** The browser came back to this very page. */
  onReturn: () => void
}

const isAboutPromocode = ({ code, errors }: Problem) =>
  code === 'promocode-used-up' || errors?.some(({ path }) => path === 'promocode')

/** Sends a payment form, and goes where its answer leads (spec §4, §8). */
export const usePayment = <V>(options: UsePayment<V>) => {
  const { form, pay, onChanged, onReject, removePromocode, onReturn } = options
  const [trouble, setTrouble] = useState<Trouble>()
  const removal = useRemoval({ removePromocode, setTrouble, onChanged })
  const { isLeaving, leave } = useLeaveForResult(onReturn)

  const fail = (error: unknown, instead?: string) => {
    if (!(error instanceof ApiError)) {
      setTrouble({ kind: 'lost' })
      onChanged()
      return
    }
    const { status, problem, message } = error
    const { code, paymentId } = problem
    // Without a session the page itself sends to the login.
    if (status === 401) return
    if (code === 'method-not-open') return setTrouble({ kind: 'closed', message })
    if (code === 'payment-under-way' && paymentId) {
      return setTrouble({ kind: instead === paymentId ? 'at-work' : 'under-way', paymentId })
    }
    if (status === 409 && paymentId) return leave(paymentId)
    if (isAboutPromocode(problem)) return setTrouble({ kind: 'promocode', message })
    if (status === 422 && form.refuse(problem)) return
    if (![409, 422, 429].includes(status)) return onReject()
    setTrouble({ kind: 'refused', message })
    if (status !== 429) onChanged()
  }

  const send = (instead?: string) =>
    form.submit(async (values) => {
      setTrouble(undefined)
      await pay(values, instead).then(
        (paymentId) => (paymentId ? leave(paymentId) : onReject()),
        (error) => fail(error, instead),
      )
    })

  return {
    trouble,
    onSubmit: send(),
    /** Pays with what the form holds, instead of the attempt that is under way. */
    startAgain: (paymentId: string) => void send(paymentId)(),
    ...removal,
    isBusy: form.isBusy || isLeaving,
  }
}

export type Payment = ReturnType<typeof usePayment>
