import { type ReactNode, useId, useState } from 'react'
import { niceTop } from '#shared/nice-top.ts'

/** The colours that series have, each its own wherever it is shown; see console.css. */
const TONES = {
  1: 'fill-series-1',
  2: 'fill-series-2',
  3: 'fill-series-3',
  4: 'fill-series-4',
  5: 'fill-series-5',
  rest: 'fill-series-rest',
} as const

export type Tone = keyof typeof TONES
export type Series = { name: string; tone: Tone; values: readonly number[] }

type BarChartProps = {
  caption: string
  /** Below the bars, the oldest first; as many as each series has values. */
  labels: readonly string[]
  series: readonly Series[]
  textOf: (value: number) => string
  children?: ReactNode
}

const HEIGHT = 220
const BOTTOM = 22
const PLOT = HEIGHT - BOTTOM

/** So that bars and labels keep their sizes, however wide the picture is. */
const percent = (part: number) => `${part.toFixed(3)}%`

const sumAt = (series: readonly Series[], at: number) =>
  series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)

/** Bars, one upon the other; what each says where the pointer is, and a table of all for those who do not see them. */
export const BarChart = ({ caption, labels, series, textOf }: BarChartProps) => {
  const [shown, setShown] = useState<number>()
  const id = useId()
  const top = niceTop(Math.max(1, ...labels.map((_, at) => sumAt(series, at))))
  const step = 100 / Math.max(labels.length, 1)
  const every = Math.ceil(labels.length / 8)
  const bars = labels.flatMap((label, at) => {
    let below = 0
    return series.map(({ name, tone, values }) => {
      const height = ((values[at] ?? 0) / top) * (PLOT - 8)
      below += height
      return (
        <rect
          key={`${label} ${name}`}
          x={percent((at + 0.15) * step)}
          width={percent(0.7 * step)}
          y={PLOT - below}
          height={height}
          className={`stroke-surface ${TONES[tone]} ${shown === undefined || shown === at ? '' : 'opacity-50'}`}
        />
      )
    })
  })
  return (
    <figure aria-labelledby={id} className="relative">
      <figcaption id={id} className="mb-2 flex min-h-6 flex-wrap gap-x-4 text-sm">
        <span className="text-quiet-ink">{shown === undefined ? caption : labels[shown]}</span>
        {series.map(({ name, tone, values }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <svg viewBox="0 0 10 10" className="size-2.5" aria-hidden="true">
              <rect width="10" height="10" className={TONES[tone]} />
            </svg>
            {name}
            {shown !== undefined && <strong className="tabular-nums">{textOf(values[shown] ?? 0)}</strong>}
          </span>
        ))}
      </figcaption>
      <svg
        height={HEIGHT}
        aria-hidden="true"
        className="block w-full"
        onPointerLeave={() => setShown(undefined)}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line
              x1="0"
              x2="100%"
              y1={PLOT - part * (PLOT - 8)}
              y2={PLOT - part * (PLOT - 8)}
              className="stroke-line"
            />
            {part > 0 && (
              <text x="0" y={PLOT - part * (PLOT - 8) + 12} className="fill-quiet-ink text-[12px]">
                {textOf(part * top).replace(/\.00$/, '')}
              </text>
            )}
          </g>
        ))}
        {bars}
        {labels.map((label, at) => (
          <g key={label}>
            {at % every === 0 && (
              <text
                x={percent(at === 0 ? 0 : (at + 0.5) * step)}
                y={HEIGHT - 5}
                textAnchor={at === 0 ? 'start' : at > labels.length - every / 2 ? 'end' : 'middle'}
                className={`fill-quiet-ink text-[12px] ${at % (2 * every) === 0 ? '' : 'max-md:hidden'}`}
              >
                {label}
              </text>
            )}
            <rect
              x={percent(at * step)}
              width={percent(step)}
              y="0"
              height={HEIGHT}
              fill="transparent"
              onPointerEnter={() => setShown(at)}
            />
          </g>
        ))}
      </svg>
      {/* A table keeps the height of its rows: what hides it is around it. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Begins</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{textOf(values[at] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
