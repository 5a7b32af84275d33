import { type PointerEvent, useId, useState } from 'react'
import { timeText } from '#lib/format.ts'
import { areaPath, HEIGHT, knownOf, linePath, type Values, WIDTH, xAt } from '#shared/line-path.ts'
import { niceTop } from '#shared/nice-top.ts'

/** A colour is a meaning, and the same on every page. */
const LOOKS = {
  main: { line: 'stroke-series-1', area: 'fill-series-1', dot: 'bg-series-1' },
  other: { line: 'stroke-series-5', area: 'fill-series-5', dot: 'bg-series-5' },
  trouble: { line: 'stroke-berry', area: 'fill-berry', dot: 'bg-berry' },
} as const

type Series = { name?: string; look: keyof typeof LOOKS; values: Values }

type LineChartProps = {
  title: string
  /** When each step begins; as many as each series has values. */
  times: readonly string[]
  series: readonly Series[]
  textOf: (value: number) => string
  /** Of the scale, where it is no round number above the highest. */
  top?: number
  /** The scale is never shorter: so that noise looks like noise. */
  leastTop?: number
}

const summaryOf = (series: readonly Series[], times: readonly string[], textOf: (value: number) => string) =>
  series
    .map(({ name, values }) => {
      const known = knownOf(values)
      if (known.length === 0) return 'Nothing was reported.'
      const highest = Math.max(...known)
      const at = timeText(times[values.indexOf(highest)] ?? '')
      const gaps = values.length - known.length
      const range =
        highest === Math.min(...known)
          ? `${textOf(highest)} throughout.`
          : `${textOf(Math.min(...known))} to ${textOf(highest)}, the highest at ${at}.`
      return `${name ? `${name}: ` : ''}${range}${gaps > 0 ? ` ${gaps} of ${values.length} steps without a report.` : ''}`
    })
    .join(' ')

/** Gaps as bands, from the first step without a value to the last. */
const gapsOf = (values: Values): { from: number; to: number }[] => {
  const gaps: { from: number; to: number }[] = []
  for (const [at, value] of values.entries()) {
    if (value !== null) continue
    const last = gaps.at(-1)
    if (last && last.to === at - 1) last.to = at
    else gaps.push({ from: at, to: at })
  }
  return gaps
}

/** A line over time, or two. Where nothing was reported there is a grey band, and no line. */
export const LineChart = ({ title, times, series, textOf, top: fixed, leastTop = 1 }: LineChartProps) => {
  const [shown, setShown] = useState<number>()
  const id = useId()
  const count = times.length
  const top = fixed ?? niceTop(Math.max(leastTop, ...series.flatMap(({ values }) => knownOf(values))))
  const half = count > 1 ? WIDTH / (count - 1) / 2 : WIDTH / 2
  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setShown(Math.round(Math.min(1, Math.max(0, (clientX - left) / width)) * (count - 1)))
  }
  const valueText = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : textOf(value)
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-3 text-sm">
        <span id={id} className="font-semibold">
          {title}
        </span>
        {series.map(({ name, look, values }) => (
          <span key={look} className="inline-flex items-center gap-1.5 text-quiet-ink tabular-nums">
            {name && <span aria-hidden="true" className={`size-2.5 rounded-full ${LOOKS[look].dot}`} />}
            {name} <span className="text-ink">{valueText(values[shown ?? count - 1])}</span>
          </span>
        ))}
        <span aria-hidden="true" className="ml-auto text-quiet-ink tabular-nums">
          {`0–${textOf(top)}`}
        </span>
      </figcaption>
      <p className="sr-only">{summaryOf(series, times, textOf)}</p>
      <div aria-hidden="true">
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-20 w-full touch-pan-y overflow-visible border-b border-line"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setShown(undefined)}
        >
          <rect width={WIDTH} height={HEIGHT} fill="transparent" />
          {gapsOf(series[0]?.values ?? []).map(({ from, to }) => (
            <rect
              key={from}
              x={Math.max(0, xAt(from, count) - half)}
              width={Math.min(WIDTH, xAt(to, count) + half) - Math.max(0, xAt(from, count) - half)}
              height={HEIGHT}
              className="fill-line"
            />
          ))}
          <line x1="0" x2={WIDTH} y1="0" y2="0" vectorEffect="non-scaling-stroke" className="stroke-line" />
          {series.map(({ look, values }) => (
            <g key={look}>
              <path d={areaPath(values, top)} className={`${LOOKS[look].area} opacity-15`} />
              <path
                d={linePath(values, top)}
                vectorEffect="non-scaling-stroke"
                strokeLinecap="round"
                strokeLinejoin="round"
                className={`fill-none stroke-[1.5] ${LOOKS[look].line}`}
              />
            </g>
          ))}
          {shown !== undefined && (
            <line
              x1={xAt(shown, count)}
              x2={xAt(shown, count)}
              y1="0"
              y2={HEIGHT}
              vectorEffect="non-scaling-stroke"
              className="stroke-ink"
            />
          )}
        </svg>
        <span className="mt-1 flex justify-between text-sm text-quiet-ink tabular-nums">
          <span>{timeText(times[0] ?? '')}</span>
          <span>{timeText(times[shown ?? count - 1] ?? '')}</span>
        </span>
      </div>
    </figure>
  )
}
