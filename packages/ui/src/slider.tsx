import { useId } from 'react'

type SliderProps = {
  label: string
  value: number
  min: number
  max: number
  /** The most that can be chosen; the track beyond it is dotted. */
  limit: number
  unit?: string
  /** Says what the dotted part means. */
  limitNote?: string
  onChange: (value: number) => void
}

/** The browser's slider over a drawn track: lines with positions in percent need no style attribute. */
export const Slider = ({ label, value, min, max, limit, unit, limitNote, onChange }: SliderProps) => {
  const noteId = useId()
  const at = (point: number) => `${((Math.min(max, Math.max(min, point)) - min) / (max - min)) * 100}%`
  return (
    <div>
      <div className="relative">
        <div className="pointer-events-none absolute inset-x-3 top-1/2 -translate-y-1/2">
          <svg className="block h-1 w-full overflow-visible" strokeWidth="2" aria-hidden="true">
            <line
              x1={at(value)}
              x2={at(limit)}
              y1="2"
              y2="2"
              className="stroke-outline forced-colors:stroke-[CanvasText]"
            />
            {limit < max && (
              <line
                x1={at(limit)}
                x2="100%"
                y1="2"
                y2="2"
                className="stroke-outline forced-colors:stroke-[CanvasText]"
                strokeDasharray="2 5"
              />
            )}
            <line
              x1="0"
              x2={at(value)}
              y1="2"
              y2="2"
              className="stroke-hedge forced-colors:stroke-[Highlight]"
              strokeWidth="4"
              strokeLinecap="round"
            />
          </svg>
        </div>
        <input
          type="range"
          aria-label={label}
          aria-describedby={limitNote && noteId}
          aria-valuetext={unit ? `${value} ${unit}` : undefined}
          min={min}
          max={max}
          value={value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
          className="range relative block"
        />
      </div>
      {limitNote && (
        <p id={noteId} className="pointer-events-none -mt-2 text-right text-sm text-quiet-ink">
          {limitNote}
        </p>
      )}
    </div>
  )
}
