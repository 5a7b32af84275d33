import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

export const CONTROL =
  'block w-full min-h-12 rounded-field border border-outline bg-surface px-3.5 py-2.5 text-base text-ink transition-colors duration-150 hover:border-hedge disabled:cursor-not-allowed disabled:border-line disabled:bg-paper disabled:text-quiet-ink aria-invalid:border-berry'

export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id} className="mt-1.5 flex items-start gap-1.5 text-sm font-medium text-berry">
    <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
    <span>{children}</span>
  </p>
)

/** The ids that tie a control to its hint and its error. */
export const useFieldIds = (given: string | undefined, hint: ReactNode, error: ReactNode) => {
  const made = useId()
  const id = given ?? made
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  return { id, hintId, errorId, describedBy: [hintId, errorId].filter(Boolean).join(' ') || undefined }
}

type FieldFrameProps = {
  ids: ReturnType<typeof useFieldIds>
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  className?: string
  children: ReactNode
}

/** Label above, hint under it, the control, and its error below. */
export const FieldFrame = ({ ids, label, hint, error, className, children }: FieldFrameProps) => (
  <div className={className}>
    <label htmlFor={ids.id} className="mb-1.5 block font-medium">
      {label}
    </label>
    {hint && (
      <p id={ids.hintId} className="-mt-1 mb-1.5 text-sm text-quiet-ink">
        {hint}
      </p>
    )}
    {children}
    {error && <FieldError id={ids.errorId}>{error}</FieldError>}
  </div>
)
