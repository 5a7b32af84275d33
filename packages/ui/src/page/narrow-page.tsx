import type { ReactNode } from 'react'
import { PageHeader } from '#ui/page/page-header.tsx'

type NarrowPageProps = { title: ReactNode; lead?: ReactNode; children?: ReactNode }

/** A page that says or asks for one thing: one column, as wide as a form. */
export const NarrowPage = ({ title, lead, children }: NarrowPageProps) => (
  <div className="mx-auto max-w-form">
    <PageHeader title={title} lead={lead} className="mb-6" />
    {children}
  </div>
)
