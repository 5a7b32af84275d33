import { type ReactNode, useId } from 'react'

type SwitchProps = {
  label: string
  note?: ReactNode
  /** Why it stands as it does, for one that cannot be pressed. */
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  name?: string
  disabled?: boolean
}

/** The whole row presses; the note (a price, for one) stands at its end and describes the switch. */
export const Switch = ({ label, note, hint, checked, onChange, name, disabled }: SwitchProps) => {
  const id = useId()
  return (
    <div className="flex print:hidden min-h-11 items-center flex-wrap gap-x-3">
      <input
        id={id}
        name={name}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is on; HTML forbids saying it twice.
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={[note && `${id}-note`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
        className="switch"
      />
      <div className="min-w-[min(8rem,60%)] flex-1 py-2">
        <label htmlFor={id} className="block cursor-pointer">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm break-words text-quiet-ink">
            {hint}
          </p>
        )}
      </div>
      {note && (
        <span id={`${id}-note`} className="ml-auto text-quiet-ink tabular-nums">
          {note}
        </span>
      )}
    </div>
  )
}
