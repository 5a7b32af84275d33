import { type ReactNode, useId } from 'react'

type SwitchProps = {
  label: string
  note?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  name?: string
  disabled?: boolean
}

/** The whole row presses; the note (a price, for one) stands at its end and describes the switch. */
export const Switch = ({ label, note, checked, onChange, name, disabled }: SwitchProps) => {
  const id = useId()
  return (
    <div className="switch-row flex min-h-11 items-center gap-3">
      <input
        id={id}
        name={name}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is on; HTML forbids saying it twice.
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={note ? `${id}-note` : undefined}
        className="switch"
      />
      <label htmlFor={id} className="flex-1 cursor-pointer py-2">
        {label}
      </label>
      {note && (
        <span id={`${id}-note`} className="text-quiet-ink tabular-nums">
          {note}
        </span>
      )}
    </div>
  )
}
