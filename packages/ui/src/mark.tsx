/** The sign beside the name: a clipped hedge over its line. The favicon is the same drawing. */
export const Mark = ({ className = '' }: { className?: string }) => (
  <svg
    viewBox="0 0 28 28"
    className={className}
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M2 24h24M5 24v-9a4 4 0 0 1 1-7 5 5 0 0 1 8-2 5 5 0 0 1 8 2 4 4 0 0 1 1 7v9" />
    <path d="M14 24V13M14 19l-4-4M14 16l4-4" />
  </svg>
)
