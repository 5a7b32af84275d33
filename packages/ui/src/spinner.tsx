/** A small turning ring, for inside buttons. What it waits for is said by its surroundings. */
export const Spinner = () => (
  <svg viewBox="0 0 20 20" className="size-5 animate-spin" fill="none" aria-hidden="true">
    <circle cx="10" cy="10" r="8" stroke="currentColor" strokeWidth="2" opacity="0.25" />
    <path d="M10 2a8 8 0 0 1 8 8" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
  </svg>
)

type ProgressLineProps = { label?: string }

/** A line that keeps moving while a page waits for something whose end is not known. */
export const ProgressLine = ({ label = 'Processing...' }: ProgressLineProps) => (
  <div role="status" className="mx-auto w-full max-w-form text-center">
    <p className="text-quiet-ink">{label}</p>
    <div className="mt-4 h-0.5 overflow-hidden rounded-field bg-line">
      <div className="progress-run h-full w-1/3 bg-hedge" />
    </div>
  </div>
)
