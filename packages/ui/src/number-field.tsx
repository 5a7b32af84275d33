import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Minus, Plus } from '#ui/icons.tsx'
import { Slider } from '#ui/slider.tsx'
import { useTypedNumber } from '#ui/use-typed-number.ts'

type NumberFieldProps = {
  label: string
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  sliderMin?: number
  sliderMax?: number
  /** What follows the number when it is read out: '30 days'. */
  unit?: string
  /** Brings whatever was typed or slid into the allowed range. */
  clamp: (value: number) => number
  /** What can be typed, said to who types something else: 'Whole days from 1 to 365'. */
  rule: string
  name?: string
  hint?: string
  /** Says why the slider reaches further than what can be chosen. */
  limitNote?: string
}

const STEP =
  'grid h-12 w-11 shrink-0 sm:w-12 place-items-center text-ink hover:text-hedge aria-disabled:cursor-not-allowed aria-disabled:text-outline forced-colors:aria-disabled:text-[GrayText] -outline-offset-2 rounded-field'

type StepButtonProps = { label: string; isAtLimit: boolean; onClick: () => void; children: ReactNode }

/** aria-disabled keeps the focus where it is when the limit is reached. */
const StepButton = ({ label, isAtLimit, onClick, children }: StepButtonProps) => (
  <button
    type="button"
    aria-label={label}
    aria-disabled={isAtLimit || undefined}
    onClick={onClick}
    className={STEP}
  >
    {children}
  </button>
)

export const NumberField = (props: NumberFieldProps) => {
  const {
    label,
    value,
    onChange,
    min,
    max,
    sliderMin = min,
    sliderMax = max,
    unit,
    clamp,
    rule,
    name,
    hint,
    limitNote,
  } = props
  const id = useId()
  const typed = useTypedNumber(value, clamp, onChange)
  const set = (number: number) => {
    typed.forget()
    onChange(clamp(number))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') typed.commit()
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    set(value + (event.key === 'ArrowUp' ? 1 : -1))
  }
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <label htmlFor={id} className="font-medium">
            {label}
          </label>
          {typed.isWrong ? (
            <p id={`${id}-hint`} role="alert" className="text-sm text-berry">
              {rule}
            </p>
          ) : (
            hint && (
              <p id={`${id}-hint`} className="text-sm text-quiet-ink">
                {hint}
              </p>
            )
          )}
        </div>
        <div className="flex shrink-0 rounded-field border border-outline bg-surface focus-within:border-hedge">
          <StepButton
            label={`Fewer ${label.toLowerCase()}`}
            isAtLimit={value <= min}
            onClick={() => set(value - 1)}
          >
            <Minus className="size-4" />
          </StepButton>
          <input
            id={id}
            name={name}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            role="spinbutton"
            aria-valuenow={value}
            aria-valuemin={min}
            aria-valuemax={max}
            aria-valuetext={unit ? `${value} ${unit}` : undefined}
            aria-invalid={typed.isWrong || undefined}
            aria-describedby={hint || typed.isWrong ? `${id}-hint` : undefined}
            value={typed.text}
            onChange={({ target, nativeEvent }) =>
              typed.type(target.value, 'data' in nativeEvent ? (nativeEvent as InputEvent).data : null)
            }
            onBlur={typed.commit}
            onKeyDown={onKeyDown}
            className="w-[2.75em] rounded-field bg-transparent text-center text-lg font-semibold tabular-nums -outline-offset-2"
          />
          <StepButton
            label={`More ${label.toLowerCase()}`}
            isAtLimit={value >= max}
            onClick={() => set(value + 1)}
          >
            <Plus className="size-4" />
          </StepButton>
        </div>
      </div>
      <Slider
        label={label}
        value={value}
        min={sliderMin}
        max={sliderMax}
        limit={max}
        unit={unit}
        limitNote={limitNote}
        onChange={set}
      />
    </div>
  )
}
