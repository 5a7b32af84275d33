import { Field } from '@hedgerow/ui/form/field.tsx'
import type { ReactNode } from 'react'
import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form'
import { NumberFormatBase } from 'react-number-format'

type MaskedFieldProps<V extends FieldValues> = {
  control: Control<V, unknown, unknown>
  name: Path<V>
  label: string
  error: string | undefined
  hint?: ReactNode
  mark?: ReactNode
  /** As many digits are taken. */
  digits: number
  /** Shown in groups of so many; left out, in one. */
  groupsOf?: number
  placeholder: string
  autoComplete: string
  className?: string
}

const grouped = (digits: string, size: number) =>
  digits.match(new RegExp(`.{1,${size}}`, 'g'))?.join(' ') ?? ''

/** Digits that are grouped while they are typed; the form holds the digits alone. */
export const MaskedField = <V extends FieldValues>({
  control,
  name,
  digits,
  groupsOf,
  ...shown
}: MaskedFieldProps<V>) => (
  <Controller
    control={control}
    name={name}
    render={({ field: { value, onChange, onBlur, ref } }) => (
      <NumberFormatBase
        {...shown}
        customInput={Field}
        format={(text) => (groupsOf ? grouped(text, groupsOf) : text)}
        isAllowed={({ value: typed }) => typed.length <= digits}
        name={name}
        inputMode="numeric"
        value={value ?? ''}
        onValueChange={({ value: typed }, { event }) => {
          if (event) onChange(typed)
        }}
        onBlur={onBlur}
        getInputRef={ref}
      />
    )}
  />
)
