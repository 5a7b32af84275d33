import type { ReactNode } from 'react'

type CardProps = {
  children: ReactNode
  className?: string
  /** Less room at its edges: among others like it. */
  isSnug?: boolean
}

export const Card = ({ children, className = '', isSnug = false }: CardProps) => (
  <div
    className={`rounded-card border border-line bg-surface ${isSnug ? 'p-4 sm:p-5' : 'p-5 sm:p-8'} ${className}`}
  >
    {children}
  </div>
)
