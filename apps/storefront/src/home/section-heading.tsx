import type { ReactNode } from 'react'

/** Takes the focus when the address names its section. */
export const SectionHeading = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <h2 tabIndex={-1} className={`text-2xl sm:text-3xl ${className}`}>
    {children}
  </h2>
)
