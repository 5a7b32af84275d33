const FRAME = 'h-36 w-auto max-w-full'
const EDGE = 'fill-surface stroke-outline'

/** A phone that gets an app. */
const Install = () => (
  <svg viewBox="0 0 200 144" className={FRAME} aria-hidden="true">
    <rect x="62" y="4" width="76" height="136" rx="12" className={EDGE} strokeWidth="2" />
    {[22, 50, 78].map((y) =>
      [74, 93, 112].map((x) => (
        <rect key={`${x} ${y}`} x={x} y={y} width="14" height="14" rx="4" className="fill-line" />
      )),
    )}
    <rect x="82" y="66" width="36" height="36" rx="9" className="fill-hedge" />
    <path
      d="M100 74v15m-7-6.5 7 7 7-7M92 95h16"
      fill="none"
      className="stroke-paper"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

/** A phone that looks at a code on a screen. */
const Scan = () => (
  <svg viewBox="0 0 200 144" className={FRAME} aria-hidden="true">
    <rect x="8" y="18" width="128" height="86" rx="8" className={EDGE} strokeWidth="2" />
    <path d="M56 122h32M72 104v18" className="stroke-outline" strokeWidth="3" strokeLinecap="round" />
    <rect x="28" y="33" width="56" height="56" rx="3" fill="#fff" />
    <path
      d="M34 39h16v16h-16zM38 43v8h8v-8zM62 39h16v16h-16zM66 43v8h8v-8zM34 67h16v16h-16zM38 71v8h8v-8zM54 39h4v8h-4zM54 51h4v4h8v4h-8v4h-8v-4h4zM70 59h8v4h-8zM62 67h4v8h8v8h-4v-4h-8zM54 71h4v12h-4zM74 67h4v4h-4z"
      fill="#14231B"
      fillRule="evenodd"
    />
    <rect x="130" y="52" width="50" height="86" rx="9" className={EDGE} strokeWidth="2" />
    <path
      d="M141 76v-8h8M161 68h8v8M169 104v8h-8M149 112h-8v-8"
      fill="none"
      className="stroke-hedge"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <path d="M137 90h36" className="stroke-hedge" strokeWidth="2" strokeDasharray="3 3" />
  </svg>
)

/** A switch that is on, and what goes through the tunnel then. */
const TurnOn = () => (
  <svg viewBox="0 0 200 144" className={FRAME} aria-hidden="true">
    <rect x="62" y="4" width="76" height="136" rx="12" className={EDGE} strokeWidth="2" />
    <rect x="80" y="56" width="40" height="24" rx="12" className="fill-hedge" />
    <circle cx="108" cy="68" r="9" className="fill-paper" />
    <path d="M80 98h40M80 110h26" className="stroke-line" strokeWidth="5" strokeLinecap="round" />
    <path d="M80 26h26" className="stroke-ink" strokeWidth="5" strokeLinecap="round" />
    <path
      d="M146 68h14M168 68h14M18 68h14M40 68h14"
      className="stroke-hedge"
      strokeWidth="4"
      strokeLinecap="round"
    />
  </svg>
)

export const STEP_PICTURES = [Install, Scan, TurnOn] as const
