import type { ComponentProps, ReactNode } from 'react'
import { CONTROL, FieldFrame, useFieldIds } from '#ui/form/field-frame.tsx'

export type FieldProps = ComponentProps<'input'> & {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Stands in the field, at its end. */
  mark?: ReactNode
  /** Stands at the end of the message's line. */
  aside?: ReactNode
}

export const Field = ({ label, hint, error, mark, aside, id, className, ...input }: FieldProps) => {
  const ids = useFieldIds(id, hint, error)
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} aside={aside} className={className}>
      <div className="relative">
        <input
          {...input}
          id={ids.id}
          aria-invalid={error ? true : undefined}
          aria-describedby={ids.describedBy}
          className={`${CONTROL} read-only:not-disabled:border-line read-only:bg-paper`}
        />
        {mark && (
          <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center">{mark}</span>
        )}
      </div>
    </FieldFrame>
  )
}
