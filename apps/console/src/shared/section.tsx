import { Card } from '@hedgerow/ui/page/card.tsx'
import { type ReactNode, useId } from 'react'

type SectionProps = {
  title: string
  actions?: ReactNode
  children: ReactNode
  className?: string
  /** What it holds has a frame of its own. */
  isBare?: boolean
}

/** A part of a page below a heading of its own. */
export const Section = ({ title, actions, children, className = '', isBare = false }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {actions}
      </div>
      {isBare ? children : <Card isSnug>{children}</Card>}
    </section>
  )
}
