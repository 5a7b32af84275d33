import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { useIsWide } from '#lib/use-is-wide.ts'

type SummaryCardProps = {
  title: string
  /** What is bought, in a line, and what it comes to: all that is shown of it while it is folded. */
  goods: string
  total: string
  /** There is something in it that has to be read. */
  isUrgent?: boolean
  /** What else has to be seen while it is folded. */
  note?: ReactNode
  children: ReactNode
}

/** What is bought. Beside the payment where there is room; above it, and folded, where there is not. */
export const SummaryCard = ({ title, goods, total, isUrgent = false, note, children }: SummaryCardProps) => {
  const isWide = useIsWide()
  const [isOpen, setIsOpen] = useState(isUrgent)
  useEffect(() => {
    if (isUrgent) setIsOpen(true)
  }, [isUrgent])
  if (isWide) {
    return (
      <Card>
        <h2 className="mb-4 text-xl">{title}</h2>
        {children}
      </Card>
    )
  }
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="group rounded-card border border-line bg-surface"
    >
      <summary className="flex list-none items-start gap-x-3 rounded-card p-5 hover:text-hedge [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h2 className="text-xl">{title}</h2>
            <span className="text-xl font-semibold tabular-nums group-open:hidden">{total}</span>
          </span>
          <span className="mt-1 block wrap-anywhere text-quiet-ink group-open:hidden">{goods}</span>
          {note && <span className="mt-1 block text-sm text-quiet-ink group-open:hidden">{note}</span>}
        </span>
        <ChevronDown className="mt-1 size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="px-5 pb-5">{children}</div>
    </details>
  )
}
