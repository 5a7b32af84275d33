import type { ReactNode } from 'react'

export type ReceiptEntry = { label: ReactNode; detail?: string; amount: string }

type ReceiptProps = {
  lines: ReceiptEntry[]
  totalLabel: string
  total: string
  note?: ReactNode
  /** Stands between the lines and the total. */
  children?: ReactNode
}

/** What each line of a price is. */
export const ReceiptLines = ({ lines, className = '' }: { lines: ReceiptEntry[]; className?: string }) => (
  <dl className={`divide-y divide-line ${className}`}>
    {lines.map((line, position) => (
      <div key={position} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
        <dt className="min-w-0">
          <span>{line.label}</span>
          {line.detail && <span className="text-quiet-ink tabular-nums">{` ${line.detail}`}</span>}
        </dt>
        <dd className="ml-auto shrink-0 tabular-nums">{line.amount}</dd>
      </div>
    ))}
  </dl>
)

/** A price, explained: what each line is, and what they come to. The total is read out when it changes. */
export const Receipt = ({ lines, totalLabel, total, note, children }: ReceiptProps) => (
  // Grows with its place, so that the total stays where it is while lines come and go above it.
  <div className="flex flex-1 flex-col">
    <ReceiptLines lines={lines} className="flex-1" />
    {children}
    <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 border-t-2 border-ink pt-3">
      <p className="font-semibold">{totalLabel}</p>
      <output className="ml-auto text-3xl font-semibold tracking-tight tabular-nums">{total}</output>
    </div>
    {note && <p className="mt-1 text-sm text-quiet-ink">{note}</p>}
  </div>
)
