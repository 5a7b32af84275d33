import { cardYears } from '@hedgerow/domain/cards'
import { CONTROL, FieldMessage, useFieldIds } from '@hedgerow/ui/form/field-frame.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { type ComponentProps, useId } from 'react'

type Choice = ComponentProps<'select'> & { error: string | undefined }

/** Month and year are shown and sent with two digits each. */
const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
const MONTHS = Array.from({ length: 12 }, (_, index) => twoDigits(index + 1))

type PartProps = ComponentProps<'select'> & { label: string; none: string; options: readonly string[] }

const Part = ({ label, none, options, ...select }: PartProps) => (
  <div className="relative">
    <select {...select} aria-label={label} className={`${CONTROL} appearance-none pr-5 pl-3`}>
      <option value="">{none}</option>
      {options.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </select>
    <ChevronDown className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-quiet-ink" />
  </div>
)

/** As it stands on the card: MM/YY, side by side, with one line for what is wrong with either. */
export const Expiry = ({ month, year }: { month: Choice; year: Choice }) => {
  const labelId = useId()
  const { error: monthError, ...monthField } = month
  const { error: yearError, ...yearField } = year
  const error = monthError ?? yearError
  const ids = useFieldIds(undefined, undefined, error)
  return (
    <fieldset aria-labelledby={labelId} className="min-w-0">
      <span id={labelId} className="mb-1.5 block font-medium">
        Expiry date
      </span>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(4rem,100%),1fr))] gap-2">
        <Part
          label="Expiry month"
          autoComplete="cc-exp-month"
          none="MM"
          options={MONTHS}
          {...monthField}
          aria-invalid={monthError ? true : undefined}
          aria-describedby={monthError && ids.errorId}
        />
        <Part
          label="Expiry year"
          autoComplete="cc-exp-year"
          none="YY"
          options={cardYears(new Date()).map(twoDigits)}
          {...yearField}
          aria-invalid={yearError ? true : undefined}
          aria-describedby={monthError ? undefined : ids.errorId}
        />
      </div>
      <FieldMessage ids={ids} error={error} />
    </fieldset>
  )
}
