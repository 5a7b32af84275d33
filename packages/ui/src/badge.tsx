import type { ReactNode } from 'react'

const TONES = {
  quiet: 'border-outline text-quiet-ink',
  good: 'border-hedge bg-hedge-tint text-hedge',
  warning: 'border-straw text-straw',
  bad: 'border-berry bg-berry-tint text-berry',
} as const

export type BadgeTone = keyof typeof TONES

/** How something stands, in a word or two, which begin with a capital wherever they stand. */
export const Badge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => (
  <span
    className={`inline-block rounded-field whitespace-nowrap font-sans first-letter:uppercase border px-2 py-0.5 text-sm font-medium ${TONES[tone]}`}
  >
    {children}
  </span>
)
