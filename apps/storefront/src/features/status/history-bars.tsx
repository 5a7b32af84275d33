/** Units of the drawing: a bar and the gap after it, and how high a whole day is. */
const [STEP, WIDTH, HEIGHT] = [4, 3, 32]
/** A day without a check is a dash at the foot; what was down takes at least so much of a bar. */
const [DASH, LEAST_DOWN] = [3, 10]

const UP = 'fill-hedge forced-colors:fill-[CanvasText]'
const DOWN = 'fill-berry forced-colors:fill-transparent'
const UNKNOWN = 'fill-outline forced-colors:fill-[GrayText]'

const Bar = ({ at, uptime }: { at: number; uptime: number | null }) => {
  const x = at * STEP
  if (uptime === null) return <rect x={x} y={HEIGHT - DASH} width={WIDTH} height={DASH} className={UNKNOWN} />
  const down = uptime === 100 ? 0 : Math.max(LEAST_DOWN, (HEIGHT * (100 - uptime)) / 100)
  return (
    <>
      {down > 0 && <rect x={x} y={0} width={WIDTH} height={down} className={DOWN} />}
      <rect x={x} y={down} width={WIDTH} height={HEIGHT - down} className={UP} />
    </>
  )
}

type HistoryBarsProps = { days: readonly (number | null)[]; label: string }

/** A bar for each day, the latest at the right; the label says it in words. Forms tell it as well as colours do. */
export const HistoryBars = ({ days, label }: HistoryBarsProps) => (
  <svg
    viewBox={`0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}`}
    preserveAspectRatio="none"
    className="block h-10 w-full"
    role="img"
    aria-label={label}
  >
    {days.map((uptime, at) => (
      // A day is known by its place.
      <Bar key={at} at={at} uptime={uptime} />
    ))}
  </svg>
)
