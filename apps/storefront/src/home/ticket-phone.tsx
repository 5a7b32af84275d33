/** The dark squares of a drawn code: it is to be recognised, not scanned. */
const CODE =
  'M0 0h7v7h-7zM1 1v5h5v-5zM2 2h3v3h-3zM14 0h7v7h-7zM15 1v5h5v-5zM16 2h3v3h-3zM0 14h7v7h-7zM1 15v5h5v-5zM2 16h3v3h-3zM9 0h1v2h2v1h-1v2h-2v-2h-1v-1h1zM12 4h1v2h-1zM8 7h3v1h2v2h-2v1h-2v-1h-1zM0 9h2v1h2v-1h2v2h-3v1h-2v-1h-1zM14 9h1v1h2v-1h2v1h2v2h-3v-1h-2v2h-2zM9 13h2v1h1v2h-1v1h2v3h-2v1h-2v-3h-1v-3h1zM14 14h2v2h2v-2h2v3h1v3h-2v-1h-2v2h-3v-3h1v-1h-1z'

/** What is sold: a ticket in a phone. The words beside it say the same. */
export const TicketPhone = ({ className = '' }: { className?: string }) => (
  <svg viewBox="0 0 220 380" aria-hidden="true" className={`h-auto font-sans ${className}`}>
    <rect
      x="2"
      y="2"
      width="216"
      height="376"
      rx="30"
      className="fill-surface stroke-outline"
      strokeWidth="2"
    />
    <rect x="84" y="14" width="52" height="10" rx="5" className="fill-line" />
    <path d="M22 46h44" className="stroke-ink" strokeWidth="6" strokeLinecap="round" />
    <path d="M22 66h176" className="stroke-line" strokeWidth="2" />
    <path
      d="M30 84h160a8 8 0 0 1 8 8v150a8 8 0 0 0 0 16v76a8 8 0 0 1-8 8h-160a8 8 0 0 1-8-8v-76a8 8 0 0 0 0-16v-150a8 8 0 0 1 8-8z"
      className="fill-paper stroke-line"
      strokeWidth="2"
    />
    <path
      d="M34 250h152"
      className="stroke-outline"
      strokeWidth="3"
      strokeLinecap="round"
      strokeDasharray="0 7"
    />
    <rect x="47" y="100" width="126" height="126" rx="4" fill="#fff" />
    <path d={CODE} fill="#14231B" fillRule="evenodd" transform="translate(57.5 110.5) scale(5)" />
    <circle cx="54" cy="298" r="17" fill="none" className="stroke-line" strokeWidth="4" />
    <path
      d="M54 281a17 17 0 1 1-14.7 8.5"
      fill="none"
      className="stroke-hedge"
      strokeWidth="4"
      strokeLinecap="round"
    />
    <path d="M86 288h76" className="stroke-ink" strokeWidth="6" strokeLinecap="round" />
    <path d="M86 307h52" className="stroke-outline" strokeWidth="5" strokeLinecap="round" />
    <rect x="66" y="356" width="88" height="5" rx="2.5" className="fill-line" />
  </svg>
)
