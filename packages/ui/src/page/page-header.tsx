import type { ReactNode } from 'react'

type PageHeaderProps = { title: ReactNode; lead?: ReactNode; eyebrow?: ReactNode; className?: string }

/** The page's h1. It takes the focus after a navigation, hence the tabindex. */
export const PageHeader = ({ title, lead, eyebrow, className = 'mb-8' }: PageHeaderProps) => (
  <header className={className}>
    {eyebrow && <p className="mb-2 text-sm font-medium text-quiet-ink">{eyebrow}</p>}
    <h1 tabIndex={-1} className="text-2xl sm:text-3xl">
      {title}
    </h1>
    {lead && <p className="mt-3 max-w-measure text-lg text-quiet-ink">{lead}</p>}
  </header>
)
