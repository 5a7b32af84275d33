import { useState } from 'react'
import type { FieldProps } from '#ui/form/field.tsx'
import { CONTROL, FieldFrame, useFieldIds } from '#ui/form/field-frame.tsx'
import { Eye, EyeOff } from '#ui/icons.tsx'

export const PasswordField = ({ label, hint, error, id, className, ...input }: Omit<FieldProps, 'type'>) => {
  const ids = useFieldIds(id, hint, error)
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} className={className}>
      <div className="relative">
        <input
          {...input}
          id={ids.id}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck="false"
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          className={`${CONTROL} pr-13`}
        />
        <button
          type="button"
          aria-pressed={shown}
          aria-label="Show password"
          aria-controls={ids.id}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-field text-quiet-ink hover:text-hedge"
        >
          <Icon className="size-5" />
        </button>
      </div>
    </FieldFrame>
  )
}
