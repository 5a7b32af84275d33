import { COUNTRY_CODES, countryName } from '@hedgerow/domain/countries'
import {
  COMPANY_ADDRESS_LENGTH,
  COMPANY_LENGTH,
  takesVatNumber,
  VAT_NUMBER_LENGTH,
} from '@hedgerow/domain/vat-numbers'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { useEffect, useMemo, useRef, useState } from 'react'
import { guessCountry } from '#features/checkout/guess-country.ts'
import type { SalePlace } from '#features/checkout/use-sale-place.ts'

const byName = (): { code: string; name: string }[] =>
  COUNTRY_CODES.map((code) => ({ code, name: countryName(code) })).sort((a, b) =>
    a.name.localeCompare(b.name, 'en'),
  )

const LOOKED_UP =
  'We look it up in the EU’s register, VIES. If that does not answer, your invoice includes VAT. The price is the same.'
const NOT_LOOKED_UP = 'Your invoice then has no VAT (reverse charge). The price is the same.'

/** The checkout's other fields that are named so are the payer's. */
const BUSINESS = 'section-business billing'

type BusinessFieldsProps = Pick<SalePlace, 'said' | 'errors' | 'change' | 'isLookedUp'>

/** Folded until someone says to be a business, and open with what they typed. */
const BusinessFields = ({ said, errors, change, isLookedUp }: BusinessFieldsProps) => {
  const [isOpen, setIsOpen] = useState(said.vatNumber !== '')
  const [number, company, address] = [
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
    useRef<HTMLTextAreaElement>(null),
  ]
  useEffect(() => {
    const refused =
      (errors.vatNumber && number) || (errors.company && company) || (errors.companyAddress && address)
    if (!refused) return
    setIsOpen(true)
    refused.current?.focus()
  }, [errors])
  return (
    <details className="group" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-field font-medium text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden">
        Buying for a business?
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <Field
        ref={number}
        className="mt-2"
        label="VAT number"
        hint={isLookedUp ? LOOKED_UP : NOT_LOOKED_UP}
        maxLength={VAT_NUMBER_LENGTH}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck="false"
        value={said.vatNumber}
        onChange={({ target }) => change({ ...said, vatNumber: target.value })}
        error={errors.vatNumber}
      />
      <Field
        ref={company}
        className="mt-4"
        label="Name of the business"
        hint="It will be on the invoice."
        maxLength={COMPANY_LENGTH}
        name="company"
        autoComplete={`${BUSINESS} organization`}
        value={said.company}
        onChange={({ target }) => change({ ...said, company: target.value })}
        error={errors.company}
      />
      <TextArea
        ref={address}
        className="mt-4"
        label="Address of the business"
        most={COMPANY_ADDRESS_LENGTH}
        rows={3}
        name="companyAddress"
        autoComplete={`${BUSINESS} street-address`}
        defaultValue={said.companyAddress}
        onChange={({ target }) => change({ ...said, companyAddress: target.value })}
        error={errors.companyAddress}
      />
    </details>
  )
}

type SalePlaceFieldsProps = SalePlace & {
  /** What the profile says, in its owner's words. */
  profileCountry: string
}

/** Where the customer is, as far as that can be guessed, to be put right; and whether as a business. */
export const SalePlaceFields = ({ profileCountry, ...place }: SalePlaceFieldsProps) => {
  const { said, errors, change } = place
  const countries = useMemo(byName, [])
  const select = useRef<HTMLSelectElement>(null)
  const isChosen = said.country !== ''
  useEffect(() => {
    const guess = isChosen ? '' : guessCountry(profileCountry)
    if (guess) change({ ...said, country: guess })
  }, [isChosen, profileCountry])
  useEffect(() => {
    if (errors.country) select.current?.focus()
  }, [errors.country])
  return (
    <div className="mb-6 space-y-4">
      <Select
        ref={select}
        label="Country"
        hint="Where you live, or where your business is. It decides the VAT; the price is the same."
        autoComplete="country"
        value={said.country}
        onChange={({ target }) => change({ ...said, country: target.value })}
        error={errors.country}
      >
        {!isChosen && <option value="">Choose your country</option>}
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      {takesVatNumber(said.country) && <BusinessFields {...place} />}
    </div>
  )
}
