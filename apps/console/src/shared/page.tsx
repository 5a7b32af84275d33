import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { brandName } from '#lib/brand-name.ts'
import { noteLook } from '#lib/looked-at.ts'

type PageProps = {
  title: ReactNode
  /** In the window's title, where that is not text. */
  name?: string
  /** Where it belongs: a list, and its name. */
  up?: { to: string; label: string }
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page of the console: where one is, what can be done here, and the rest. */
export const Page = ({ title, name, up, lead, actions, children }: PageProps) => {
  const windowTitle = name ?? (typeof title === 'string' ? title : 'Console')
  useEffect(() => {
    document.title = `${windowTitle} – ${brandName} console`
  }, [windowTitle])
  const shown = typeof title === 'string' ? title : windowTitle
  useEffect(() => noteLook(window.location.pathname, shown), [shown])
  return (
    <>
      <header className="mb-6">
        {up && (
          <p className="mb-1 text-sm">
            <Link to={up.to} className="link inline-flex min-h-6 items-center">
              {up.label}
            </Link>
          </p>
        )}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <h1 tabIndex={-1} className="min-w-0 text-2xl wrap-anywhere">
            {title}
          </h1>
          {/* Where they may not stand on one line with the title each has an edge, to be seen as a button. */}
          {actions && (
            <div className="flex flex-wrap gap-2 max-lg:[&>.border-transparent]:border-outline">
              {actions}
            </div>
          )}
        </div>
        {lead && <div className="mt-2 max-w-measure text-quiet-ink">{lead}</div>}
      </header>
      {children}
    </>
  )
}
