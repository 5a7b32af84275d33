import type { ComponentProps, ReactNode } from 'react'
import { FieldMessage, useFieldIds } from '#ui/form/field-frame.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

export const Checkbox = ({ label, hint, error, id, className, ...input }: CheckboxProps) => {
  const ids = useFieldIds(id, hint, error)
  return (
    <div className={className}>
      <label htmlFor={ids.id} className="flex min-h-11 items-start gap-3 py-2">
        <input
          {...input}
          id={ids.id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          className="check mt-0.5"
        />
        <span>{label}</span>
      </label>
      <FieldMessage ids={ids} hint={hint} error={error} className={hint ? '-mt-2 pl-8' : '-mt-1'} />
    </div>
  )
}
