import type { ReactNode } from 'react'

type SummaryRow = {
  term: string
  value: ReactNode
  /** What it costs, where that is said. */
  amount?: string | undefined
}

/** What is bought, line by line: what it is called, how much of it, and what that costs. */
export const SummaryRows = ({ rows }: { rows: readonly SummaryRow[] }) => (
  <dl className="divide-y divide-line">
    {rows.map(({ term, value, amount }, position) => (
      <div key={position} className="flex flex-wrap items-baseline gap-x-4 py-1.5">
        <dt className="w-24 shrink-0 text-quiet-ink">{term}</dt>
        <dd className="min-w-16 flex-1 font-medium wrap-anywhere">{value}</dd>
        {amount !== undefined && <dd className="shrink-0 tabular-nums">{amount}</dd>}
      </div>
    ))}
  </dl>
)
