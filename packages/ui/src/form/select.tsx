import type { ComponentProps, ReactNode } from 'react'
import { CONTROL, FieldFrame, useFieldIds } from '#ui/form/field-frame.tsx'
import { ChevronDown } from '#ui/icons.tsx'

/** Without a label of its own. */
export const BareSelect = ({ children, ...select }: ComponentProps<'select'>) => (
  <div className="relative">
    <select {...select} className={`${CONTROL} appearance-none pr-10`}>
      {children}
    </select>
    <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-quiet-ink" />
  </div>
)

type SelectProps = ComponentProps<'select'> & { label: ReactNode; hint?: ReactNode; error?: ReactNode }

export const Select = ({ label, hint, error, id, className, children, ...select }: SelectProps) => {
  const ids = useFieldIds(id, hint, error)
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error} className={className}>
      <BareSelect
        {...select}
        id={ids.id}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      >
        {children}
      </BareSelect>
    </FieldFrame>
  )
}
