type RingProps = { fraction: number; label: string }

/** A thin ring, filled as far as the fraction goes; the label says it in words. */
export const Ring = ({ fraction, label }: RingProps) => {
  const part = Math.min(1, Math.max(0, fraction))
  return (
    <svg viewBox="0 0 40 40" className="size-10" fill="none" strokeWidth="3" role="img" aria-label={label}>
      <circle cx="20" cy="20" r="17" className="stroke-line" />
      {part > 0 && (
        <circle
          cx="20"
          cy="20"
          r="17"
          className="stroke-hedge"
          pathLength="100"
          strokeDasharray={`${Math.round(part * 100)} 100`}
          strokeLinecap="round"
          transform="rotate(-90 20 20)"
        />
      )}
    </svg>
  )
}
