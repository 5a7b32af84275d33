import { type ReactNode, useId, useState } from 'react'

export type Series = { name: string; values: readonly number[] }

type BarChartProps = {
  caption: string
  /** Below the bars, the oldest first; as many as each series has values. */
  labels: readonly string[]
  series: readonly Series[]
  textOf: (value: number) => string
  children?: ReactNode
}

const WIDTH = 720
const HEIGHT = 220
const BOTTOM = 22
const PLOT = HEIGHT - BOTTOM

/** One hue in steps, so that it reads in grey and to those who see few colours; patterns of the palette only. */
const FILLS = [
  'fill-hedge',
  'fill-straw',
  'fill-berry',
  'fill-outline',
  'fill-quiet-ink',
  'fill-ink',
] as const

const fillOf = (at: number) => FILLS[at % FILLS.length] ?? 'fill-hedge'

/** 1, 2 or 5 times a power of ten, so that the scale reads well. */
const niceTop = (highest: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)))
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power
}

const sumAt = (series: readonly Series[], at: number) =>
  series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)

/** Bars, one upon the other; what each says where the pointer is, and a table of all for those who do not see them. */
export const BarChart = ({ caption, labels, series, textOf }: BarChartProps) => {
  const [shown, setShown] = useState<number>()
  const id = useId()
  const top = niceTop(Math.max(1, ...labels.map((_, at) => sumAt(series, at))))
  const step = WIDTH / Math.max(labels.length, 1)
  const every = Math.ceil(labels.length / 8)
  const bars = labels.flatMap((label, at) => {
    let below = 0
    return series.map(({ name, values }, which) => {
      const height = ((values[at] ?? 0) / top) * (PLOT - 8)
      below += height
      return (
        <rect
          key={`${label} ${name}`}
          x={at * step + step * 0.15}
          width={step * 0.7}
          y={PLOT - below}
          height={height}
          className={`${fillOf(which)} ${shown === undefined || shown === at ? '' : 'opacity-50'}`}
        />
      )
    })
  })
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id} className="mb-2 flex min-h-6 flex-wrap gap-x-4 text-sm">
        <span className="text-quiet-ink">{shown === undefined ? caption : labels[shown]}</span>
        {series.map(({ name, values }, which) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <svg viewBox="0 0 10 10" className="size-2.5" aria-hidden="true">
              <rect width="10" height="10" className={fillOf(which)} />
            </svg>
            {name}
            {shown !== undefined && <strong className="tabular-nums">{textOf(values[shown] ?? 0)}</strong>}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
        className="block h-auto w-full"
        onPointerLeave={() => setShown(undefined)}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line
              x1="0"
              x2={WIDTH}
              y1={PLOT - part * (PLOT - 8)}
              y2={PLOT - part * (PLOT - 8)}
              className="stroke-line"
            />
            {part > 0 && (
              <text x="0" y={PLOT - part * (PLOT - 8) + 12} className="fill-quiet-ink text-[12px]">
                {textOf(part * top)}
              </text>
            )}
          </g>
        ))}
        {bars}
        {labels.map((label, at) => (
          <g key={label}>
            {at % every === 0 && (
              <text
                x={at * step + step / 2}
                y={HEIGHT - 5}
                textAnchor="middle"
                className="fill-quiet-ink text-[12px]"
              >
                {label}
              </text>
            )}
            <rect
              x={at * step}
              width={step}
              y="0"
              height={HEIGHT}
              fill="transparent"
              onPointerEnter={() => setShown(at)}
            />
          </g>
        ))}
      </svg>
      <table className="sr-only">
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
    </figure>
  )
}
