import type { ReactNode } from 'react'

export type Fact = readonly [term: string, value: ReactNode]

/** What there is to say of one thing, a line each. A value that there is not is left out. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="divide-y divide-line">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([term, value]) => (
        <div key={term} className="py-2 sm:flex sm:gap-x-4">
          <dt className="text-quiet-ink max-sm:text-sm sm:w-44 sm:shrink-0">{term}</dt>
          <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
        </div>
      ))}
  </dl>
)
