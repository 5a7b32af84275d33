import { areaPath, HEIGHT, knownOf, linePath, type Values, WIDTH } from '#shared/line-path.ts'
import { niceTop } from '#shared/nice-top.ts'

type SparklineProps = {
  /** What is counted, as a sentence begins: 'Peers by the hour'. */
  of: string
  values: Values
  textOf: (value: number) => string
  /** Of the scale: where several are to be compared, that of the highest. */
  top?: number
}

/** A small line without axes. It says its lowest, highest and latest value to those who do not see it. */
export const Sparkline = ({ of, values, textOf, top: shared }: SparklineProps) => {
  const known = knownOf(values)
  if (known.length === 0) return null
  const gaps = values.length - known.length
  const latest = values.at(-1) ?? null
  const words = [
    `${of}: ${textOf(Math.min(...known))} to ${textOf(Math.max(...known))}`,
    latest === null ? 'nothing at the end' : `${textOf(latest)} at the end`,
    ...(gaps > 0 ? [`${gaps} of ${values.length} without a report`] : []),
  ].join(', ')
  const top = niceTop(shared ?? Math.max(...known))
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
      preserveAspectRatio="none"
      className="inline-block h-7 w-24 align-middle"
    >
      <title>{words}</title>
      <path d={areaPath(values, top)} className="fill-series-1 opacity-15" />
      <path
        d={linePath(values, top)}
        vectorEffect="non-scaling-stroke"
        className="fill-none stroke-series-1 stroke-[1.5]"
        strokeLinecap="round"
      />
    </svg>
  )
}
