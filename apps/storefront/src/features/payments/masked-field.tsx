import { type Control, Controller, type FieldValues, type Path } from 'react-hook-form'
import { PatternFormat } from 'react-number-format'
import { Field } from '#ui/field.tsx'

type MaskedFieldProps<V extends FieldValues> = {
  control: Control<V, unknown, unknown>
  name: Path<V>
  label: string
  error: string | undefined
  hint?: string
  /** A # stands for a digit. */
  mask: string
  placeholder: string
  autoComplete: string
  className?: string
}

/** Digits that are grouped while they are typed; the form holds the digits alone. */
export const MaskedField = <V extends FieldValues>({
  control,
  name,
  mask,
  ...shown
}: MaskedFieldProps<V>) => (
  <Controller
    control={control}
    name={name}
    render={({ field: { value, onChange, onBlur, ref } }) => (
      <PatternFormat
        {...shown}
        customInput={Field}
        format={mask}
        name={name}
        inputMode="numeric"
        value={value ?? ''}
        onValueChange={({ value: digits }, { event }) => {
          if (event) onChange(digits)
        }}
        onBlur={onBlur}
        getInputRef={ref}
      />
    )}
  />
)
