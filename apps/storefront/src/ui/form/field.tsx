import type { ComponentProps, ReactNode } from 'react'
import { CONTROL, FieldFrame, useFieldIds } from '#ui/form/field-frame.tsx'

export type FieldProps = ComponentProps<'input'> & { label: ReactNode; hint?: ReactNode; error?: ReactNode }

export const Field = ({ label, hint, error, id, className, ...input }: FieldProps) => {
  const ids = useFieldIds(id, hint, error)
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} className={className}>
      <input
        {...input}
        id={ids.id}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
        className={`${CONTROL} read-only:not-disabled:border-line read-only:bg-paper`}
      />
    </FieldFrame>
  )
}
