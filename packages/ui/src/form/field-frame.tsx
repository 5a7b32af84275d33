import { type ReactNode, useId } from 'react'
import { CircleAlert } from '#ui/icons.tsx'

export const CONTROL =
  'block w-full min-h-12 rounded-field border border-outline bg-surface px-3.5 py-2.5 text-base text-ink transition-colors duration-150 hover:border-hedge disabled:cursor-not-allowed disabled:border-line disabled:bg-paper disabled:text-quiet-ink aria-invalid:border-berry'

/** The ids that tie a control to its hint and its error. */
export const useFieldIds = (given: string | undefined, hint: ReactNode, error: ReactNode) => {
  const made = useId()
  const id = given ?? made
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  return { id, hintId, errorId, describedBy: [hintId, errorId].filter(Boolean).join(' ') || undefined }
}

type MessageProps = {
  ids: ReturnType<typeof useFieldIds>
  hint?: ReactNode
  error?: ReactNode
  /** Reads the error out when it comes: for a field that keeps the focus meanwhile. */
  isAnnounced?: boolean
  className?: string
  /** Stands at the other end of the line. */
  children?: ReactNode
}

/**
 * The line below a control: its hint, and in its place what is wrong. A line's room is there from the start, and a hint
 * keeps its own under an error, so that what stands below does not move away from a finger that is about to press it.
 */
export const FieldMessage = ({
  ids,
  hint,
  error,
  isAnnounced,
  className = 'mt-1',
  children,
}: MessageProps) => (
  <div className={`-mb-2 flex min-h-5.25 flex-wrap justify-between gap-x-4 text-sm ${className}`}>
    <div className="grid *:col-start-1 *:row-start-1">
      {hint && (
        <p id={ids.hintId} className={error ? 'invisible' : 'text-quiet-ink'}>
          {hint}
        </p>
      )}
      {error && (
        <p
          id={ids.errorId}
          role={isAnnounced ? 'alert' : undefined}
          className="flex items-start gap-1 font-medium text-berry"
        >
          <CircleAlert className="mt-0.5 size-4 shrink-0" />
          <span>{error}</span>
        </p>
      )}
    </div>
    {children}
  </div>
)

type FieldFrameProps = Omit<MessageProps, 'children' | 'isAnnounced'> & {
  label: ReactNode
  /** Stands at the end of the message's line. */
  aside?: ReactNode
  children: ReactNode
}

/** Label above, the control, and the line of its hint or its error below. */
export const FieldFrame = ({ ids, label, hint, error, aside, className, children }: FieldFrameProps) => (
  <div className={className}>
    <label htmlFor={ids.id} className="mb-1.5 block font-medium">
      {label}
    </label>
    {children}
    <FieldMessage ids={ids} hint={hint} error={error}>
      {aside}
    </FieldMessage>
  </div>
)
