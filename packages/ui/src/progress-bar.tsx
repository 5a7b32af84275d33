import type { ComponentProps } from 'react'

type ProgressBarProps = Omit<ComponentProps<'progress'>, 'className'> & { className?: string }

/** The browser's own progress bar, in our colours. */
export const ProgressBar = ({ className = '', ...progress }: ProgressBarProps) => (
  <progress {...progress} className={`progress ${className}`} />
)
