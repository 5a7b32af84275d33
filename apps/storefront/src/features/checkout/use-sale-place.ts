import type { Problem } from '@hedgerow/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { readTabDraft, writeTabDraft } from '#lib/drafts.ts'

/** As typed and chosen: a code of ISO 3166, or nothing; a VAT number, or nothing. */
export type SaleSaid = { country: string; vatNumber: string }

type Errors = { country?: string | undefined; vatNumber?: string | undefined }

const keyOf = (accountId: string) => `sale-place:${accountId}`

const NOTHING: SaleSaid = { country: '', vatNumber: '' }

/** What was said before in this tab: the page is left for each attempt to pay. */
const readSaid = (accountId: string): SaleSaid => {
  const { country, vatNumber } = (readTabDraft(keyOf(accountId)) ?? {}) as Partial<
    Record<keyof SaleSaid, unknown>
  >
  return typeof country === 'string' && typeof vatNumber === 'string' ? { country, vatNumber } : NOTHING
}

const NAMES = ['country', 'vatNumber'] as const

/**
 * To whom is sold, for the tax, where the shop asks for that: held by the page, beside the forms of all ways to pay.
 */
export const useSalePlace = (accountId: string) => {
  const { data } = useQuery(paymentMethodsQuery)
  const isAsked = data?.asksCountry === true
  const isLookedUp = data?.looksUpVatNumbers === true
  const [said, setSaid] = useState(() => readSaid(accountId))
  const [errors, setErrors] = useState<Errors>({})
  const change = useCallback(
    (changed: SaleSaid) => {
      setSaid(changed)
      setErrors({})
      writeTabDraft(keyOf(accountId), changed)
    },
    [accountId],
  )
  const saleTo = useMemo(
    () =>
      isAsked
        ? { country: said.country, ...(said.vatNumber.trim() ? { vatNumber: said.vatNumber } : {}) }
        : {},
    [isAsked, said],
  )
  /** Shows what the server refused of it; false when that was nothing of it. */
  const refuse = useCallback(({ errors: refused = [] }: Pick<Problem, 'errors'>): boolean => {
    const ours = refused.filter(({ path }) => NAMES.some((name) => name === path))
    if (ours.length > 0) setErrors(Object.fromEntries(ours.map(({ path, message }) => [path, message])))
    return ours.length > 0
  }, [])
  return { isAsked, isLookedUp, said, errors, change, saleTo, refuse }
}

export type SalePlace = ReturnType<typeof useSalePlace>
