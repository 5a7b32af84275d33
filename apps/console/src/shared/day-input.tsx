import { CONTROL } from '@hedgerow/ui/form/field-frame.tsx'
import { type ComponentProps, useEffect, useState } from 'react'
import { readDay, shownDay } from '#lib/typed-days.ts'

type DayInputProps = Pick<ComponentProps<'input'>, 'aria-label'> & {
  /** Like '2026-11-21'; empty for none. */
  value: string
  onChange: (day: string) => void
}

/** A day, typed as it is written elsewhere: a browser's own field has the order of the browser's language. */
export const DayInput = ({ value, onChange, ...label }: DayInputProps) => {
  const [typed, setTyped] = useState(shownDay(value))
  useEffect(() => setTyped(shownDay(value)), [value])
  const isWrong = typed.trim() !== '' && readDay(typed) === undefined
  return (
    <input
      {...label}
      value={typed}
      placeholder="dd/mm/yyyy"
      maxLength={12}
      autoComplete="off"
      aria-invalid={isWrong || undefined}
      onChange={({ target }) => {
        setTyped(target.value)
        const day = target.value.trim() === '' ? '' : readDay(target.value)
        if (day !== undefined && day !== value) onChange(day)
      }}
      className={CONTROL}
    />
  )
}
