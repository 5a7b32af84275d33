import type { Problem } from '@hedgerow/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { readTabDraft, writeTabDraft } from '#lib/drafts.ts'

const NAMES = ['country', 'vatNumber', 'company', 'companyAddress'] as const

/** As typed and chosen: a code of ISO 3166, or nothing; a VAT number, or nothing, and the business that it is of. */
export type SaleSaid = Record<(typeof NAMES)[number], string>

type Errors = { [Name in keyof SaleSaid]?: string | undefined }

const keyOf = (accountId: string) => `sale-place:${accountId}`

const NOTHING: SaleSaid = { country: '', vatNumber: '', company: '', companyAddress: '' }

/** What was said before in this tab: the page is left for each attempt to pay. */
const readSaid = (accountId: string): SaleSaid => {
  const kept = (readTabDraft(keyOf(accountId)) ?? {}) as Partial<Record<keyof SaleSaid, unknown>>
  const texts = NAMES.map((name) => [name, typeof kept[name] === 'string' ? kept[name] : ''])
  return { ...NOTHING, ...Object.fromEntries(texts) }
}

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
    () => (isAsked ? (said.vatNumber.trim() ? said : { country: said.country }) : {}),
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
