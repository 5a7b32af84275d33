import type { ReactNode } from 'react'
import { Wren } from '#ui/page/wren.tsx'

type EmptyStateProps = { title: ReactNode; children?: ReactNode; action?: ReactNode }

/** Nothing here yet: the wren, what that means, and what to do next. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center rounded-card border border-dashed border-outline px-6 py-12 text-center">
    <Wren className="mb-6 w-28 text-hedge" />
    <h2 className="text-xl">{title}</h2>
    {children && <div className="mt-2 max-w-measure text-quiet-ink">{children}</div>}
    {action && <div className="mt-6">{action}</div>}
  </div>
)
