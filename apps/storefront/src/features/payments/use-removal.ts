import { ApiError } from '@hedgerow/contract/client'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import type { Trouble } from '#features/payments/use-payment.ts'
import { messageOf } from '#lib/message-of.ts'

/** Why the promocode is still there; nothing without a session, where the page itself sends to the login. */
const troubleOf = (error: unknown): Trouble | undefined => {
  if (error instanceof ApiError && error.status === 401) return undefined
  if (error instanceof ApiError && error.problem.code === 'payment-under-way')
    return { kind: 'promocode-held', paymentId: error.problem.paymentId }
  return { kind: 'promocode-kept', message: messageOf(error) }
}

type UseRemoval = {
  /** Takes the promocode off what is paid; undefined without one. */
  removePromocode: (() => Promise<void>) | undefined
  setTrouble: Dispatch<SetStateAction<Trouble | undefined>>
  onChanged: () => void
}

/** Removes a promocode that stands in the way of paying. It pays nothing, and what was typed stays. */
export const useRemoval = ({ removePromocode, setTrouble, onChanged }: UseRemoval) => {
  const [isRemoving, setIsRemoving] = useState(false)
  const hasCode = removePromocode !== undefined

  // The code comes and goes elsewhere on the page too. What was said of it is not true any more then.
  useEffect(() => {
    const untrue = hasCode ? ['promocode-removed'] : ['promocode', 'promocode-kept', 'promocode-held']
    setTrouble((last) => (last && untrue.includes(last.kind) ? undefined : last))
  }, [hasCode, setTrouble])

  const run = async (remove: () => Promise<void>) => {
    setIsRemoving(true)
    await remove().then(
      () => setTrouble({ kind: 'promocode-removed' }),
      (error) => {
        setTrouble(troubleOf(error))
        // The answer may have been lost, or the order is not as it was shown.
        onChanged()
      },
    )
    setIsRemoving(false)
  }

  return {
    /** Undefined where there is none to remove. */
    removePromocode: removePromocode && (() => void run(removePromocode)),
    isRemoving,
  }
}
