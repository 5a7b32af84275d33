import type { ReactNode } from 'react'

/** Takes the focus when its section is what was asked for. */
export const SectionHeading = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <h2 tabIndex={-1} className={`text-2xl sm:text-3xl ${className}`}>
    {children}
  </h2>
)
