import { COUNTRY_CODES, countryName } from '@hedgerow/domain/countries'
import { takesVatNumber, VAT_NUMBER_LENGTH } from '@hedgerow/domain/vat-numbers'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { Select } from '@hedgerow/ui/form/select.tsx'
import { ChevronDown } from 'lucide-react'
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

type VatNumberFieldProps = Pick<SalePlace, 'said' | 'errors' | 'change' | 'isLookedUp'>

/** Folded until someone says to be a business, and open with what they typed. */
const VatNumberField = ({ said, errors, change, isLookedUp }: VatNumberFieldProps) => {
  const [isOpen, setIsOpen] = useState(said.vatNumber !== '')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!errors.vatNumber) return
    setIsOpen(true)
    input.current?.focus()
  }, [errors.vatNumber])
  return (
    <details className="group" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-field font-medium text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden">
        Buying for a business?
        <ChevronDown
          className="size-5 shrink-0 transition-transform group-open:rotate-180"
          aria-hidden="true"
        />
      </summary>
      <Field
        ref={input}
        className="mt-2"
        label="VAT number"
        hint={isLookedUp ? LOOKED_UP : NOT_LOOKED_UP}
        maxLength={VAT_NUMBER_LENGTH}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={said.vatNumber}
        onChange={({ target }) => change({ ...said, vatNumber: target.value })}
        error={errors.vatNumber}
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
        hint="Where you live, or your business is. It decides the VAT; the price is the same."
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
      {takesVatNumber(said.country) && <VatNumberField {...place} />}
    </div>
  )
}
