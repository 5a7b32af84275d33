/** Drawings of what a screen shows, as data: what stands on it, line by line, and what is to be pressed. */
type Line =
  | { as: 'row'; text: string; value?: string; press?: true }
  | { as: 'button'; text: string; press?: true }
  | { as: 'switch'; text: string; isOn: boolean; press?: true }
  | { as: 'box'; text: string; isOn: boolean; press?: true }
  | { as: 'typed'; text: string }

export type PictureProps = {
  frame: 'phone' | 'window' | 'terminal'
  /** What stands at the head of the screen. */
  title: string
  lines: readonly Line[]
  /** The whole drawing in words, for those who do not see it. */
  alt: string
}

const WIDTHS = { phone: 250, window: 340, terminal: 340 } as const
const HEAD = 40
const EDGE = 14
const PITCH = { row: 44, button: 52, switch: 44, box: 44, typed: 20 } as const

const SURFACE = 'picture-frame'
const RULE = 'picture-rule'
const INK = 'picture-ink'
const QUIET = 'picture-quiet'
const ACCENT = 'picture-accent'
const ON_ACCENT = 'picture-on-accent'
const TICK = 'picture-tick'
const RING = 'picture-ring'
const OUTLINE = 'picture-outline'

type LineProps = { line: Line; y: number; width: number }

const Words = ({ x, y, text, look = INK }: { x: number; y: number; text: string; look?: string }) => (
  <text x={x} y={y} className={look} fontSize="13">
    {text}
  </text>
)

const SwitchShape = ({ x, y, isOn }: { x: number; y: number; isOn: boolean }) => (
  <>
    <rect x={x} y={y} width="36" height="20" rx="10" className={isOn ? ACCENT : OUTLINE} />
    <circle cx={x + (isOn ? 26 : 10)} cy={y + 10} r={isOn ? 7 : 5} className={isOn ? ON_ACCENT : QUIET} />
  </>
)

const BoxShape = ({ x, y, isOn }: { x: number; y: number; isOn: boolean }) => (
  <>
    <rect x={x} y={y} width="16" height="16" rx="3" className={isOn ? ACCENT : OUTLINE} />
    {isOn && <path d={`M${x + 4} ${y + 8.5}l3 3 5.5-6.5`} className={TICK} strokeWidth="2" />}
  </>
)

const Drawn = ({ line, y, width }: LineProps) => {
  const middle = y + PITCH[line.as] / 2 + 4.5
  const end = width - EDGE
  if (line.as === 'typed')
    return (
      <text x={EDGE} y={y + 14} className={`${INK} font-mono`} fontSize="11.5" xmlSpace="preserve">
        {line.text}
      </text>
    )
  if (line.as === 'button')
    return (
      <>
        <rect
          x={EDGE}
          y={y + 8}
          width={width - 2 * EDGE}
          height="36"
          rx="8"
          className={line.press ? ACCENT : OUTLINE}
        />
        <text
          x={width / 2}
          y={middle}
          className={line.press ? ON_ACCENT : INK}
          fontSize="13"
          fontWeight="600"
          textAnchor="middle"
        >
          {line.text}
        </text>
      </>
    )
  return (
    <>
      {line.as === 'box' ? (
        <>
          <BoxShape x={EDGE + 4} y={y + 14} isOn={line.isOn} />
          <Words x={EDGE + 30} y={middle} text={line.text} />
        </>
      ) : (
        <Words x={EDGE + 4} y={middle} text={line.text} />
      )}
      {line.as === 'switch' && <SwitchShape x={end - 40} y={y + 12} isOn={line.isOn} />}
      {line.as === 'row' && line.value && (
        <text x={end - 4} y={middle} className={QUIET} fontSize="13" textAnchor="end">
          {line.value}
        </text>
      )}
      <path d={`M${EDGE} ${y + PITCH[line.as] - 0.5}H${end}`} className={RULE} />
      {line.press && (
        <rect
          x={EDGE - 5}
          y={y + 4}
          width={width - 2 * EDGE + 10}
          height={PITCH[line.as] - 8}
          rx="8"
          strokeWidth="2"
          className={RING}
        />
      )}
    </>
  )
}

export const Picture = ({ frame, title, lines, alt }: PictureProps) => {
  const width = WIDTHS[frame]
  const tops = lines.map((_, index) =>
    lines.slice(0, index).reduce((sum, { as }) => sum + PITCH[as], HEAD + 6),
  )
  const height = lines.reduce((sum, { as }) => sum + PITCH[as], HEAD + 6) + 12
  return (
    <svg
      role="img"
      aria-label={alt}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className="h-auto max-w-full font-sans"
    >
      <rect
        x="0.75"
        y="0.75"
        width={width - 1.5}
        height={height - 1.5}
        rx={frame === 'phone' ? 22 : 10}
        strokeWidth="1.5"
        className={SURFACE}
      />
      {frame === 'phone' ? (
        <Words x={EDGE + 4} y={27} text={title} />
      ) : (
        <>
          {[0, 1, 2].map((dot) => (
            <circle key={dot} cx={EDGE + 6 + 15 * dot} cy="20" r="4" className={OUTLINE} />
          ))}
          <Words x={EDGE + 54} y={24.5} text={title} look={QUIET} />
        </>
      )}
      <path d={`M1 ${HEAD}H${width - 1}`} className={RULE} />
      {lines.map((line, index) => (
        <Drawn key={line.text} line={line} y={tops[index] ?? 0} width={width} />
      ))}
    </svg>
  )
}
