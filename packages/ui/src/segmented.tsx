import { useId } from 'react'

type SegmentedProps<V extends string> = {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: string }[]
}

/** A choice among a few, all of them in view: radio buttons side by side. */
export const Segmented = <V extends string>({ label, value, onChange, options }: SegmentedProps<V>) => {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <legend className="float-left font-medium">{label}</legend>
      <div className="flex flex-wrap rounded-field border border-outline bg-surface">
        {options.map((option) => (
          <label
            key={option.value}
            className="relative grid min-h-12 min-w-16 cursor-pointer place-items-center rounded-field px-3 whitespace-nowrap text-quiet-ink sm:min-w-20 sm:px-4 hover:text-hedge has-checked:bg-hedge has-checked:font-semibold has-checked:text-paper forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-hedge"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-field outline-none"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
