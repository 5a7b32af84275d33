import type { ReactNode } from 'react'

export type Fact = readonly [term: string, value: ReactNode]

/** What there is to say of one thing, a line each. A value that there is not is left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="divide-y divide-line">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([term, value]) => (
        <div key={term} className="flex flex-wrap gap-x-4 py-2 sm:flex-nowrap">
          <dt className="w-44 shrink-0 text-quiet-ink">{term}</dt>
          <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
        </div>
      ))}
  </dl>
)
