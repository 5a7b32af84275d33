import { ApiError } from '@hedgerow/contract/client'
import { useCallback, useEffect, useState } from 'react'
import { type RefusedCode, refusalOf } from '#features/promocodes/refusal.tsx'
import { api } from '#lib/api.ts'
import { readDraft, writeDraft } from '#lib/drafts.ts'

/** A code that the server takes, and what it takes off. */
type Checked = { promocode: string; percentage: number }

const isChecked = (value: unknown): value is Checked => {
  const { promocode, percentage } = (value ?? {}) as Record<string, unknown>
  return typeof promocode === 'string' && Number.isInteger(percentage)
}

const keptAt = (key: string): Checked | undefined => {
  const kept = readDraft(key)
  return isChecked(kept) ? kept : undefined
}

/**
 * A plan has no order yet that could hold the code, so the browser does, over a reload and over a declined card. It is
 * checked anew when it is found there; what it takes off is for the sale to judge in the end.
 */
export const usePlanPromocode = (accountId: string, planId: string) => {
  const key = `promocode:${accountId}:${planId}`
  const [checked, setChecked] = useState(() => keptAt(key))
  const [lost, setLost] = useState<RefusedCode>()

  const hold = useCallback(
    (next: Checked | undefined) => {
      setLost(undefined)
      setChecked(next)
      writeDraft(key, next)
    },
    [key],
  )
  const apply = useCallback(
    async (promocode: string) => hold(await api.call('checkPromocode', { body: { promocode } })),
    [hold],
  )
  const remove = useCallback(async () => hold(undefined), [hold])
  const checkAgain = useCallback(async () => {
    const promocode = keptAt(key)?.promocode
    if (promocode === undefined) return
    // Removed or replaced meanwhile, or the customer has logged out: the answer is about nothing any more.
    const isStale = () => keptAt(key)?.promocode !== promocode
    try {
      const next = await api.call('checkPromocode', { body: { promocode } })
      if (!isStale()) hold(next)
    } catch (error) {
      const isRefused = error instanceof ApiError && [409, 422].includes(error.status)
      if (!isRefused || isStale()) return
      hold(undefined)
      setLost({ promocode, ...refusalOf(error) })
    }
  }, [key, hold])

  useEffect(() => void checkAgain(), [checkAgain])

  return { checked, lost, apply, remove, checkAgain }
}
