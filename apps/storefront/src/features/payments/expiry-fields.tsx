import { cardYears } from '@hedgerow/domain/cards'
import type { ComponentProps } from 'react'
import { Select } from '#ui/form/select.tsx'

const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
const MONTHS = Array.from({ length: 12 }, (_, index) => twoDigits(index + 1))

type Control = Omit<ComponentProps<typeof Select>, 'label'>

/** When the card ends: each of the two is shown and sent with two digits. */
export const ExpiryFields = ({ month, year }: { month: Control; year: Control }) => (
  <>
    <Select label="Expiry month" autoComplete="cc-exp-month" {...month}>
      <option value="">MM</option>
      {MONTHS.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </Select>
    <Select label="Expiry year" autoComplete="cc-exp-year" {...year}>
      <option value="">YY</option>
      {cardYears(new Date()).map((full) => (
        <option key={full}>{twoDigits(full)}</option>
      ))}
    </Select>
  </>
)
