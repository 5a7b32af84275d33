import type { ReactNode } from 'react'

type CardProps = { children: ReactNode; className?: string }

export const Card = ({ children, className = '' }: CardProps) => (
  <div className={`rounded-card border border-line bg-surface p-5 sm:p-8 ${className}`}>{children}</div>
)
