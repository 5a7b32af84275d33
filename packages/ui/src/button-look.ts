export type ButtonVariant = 'solid' | 'outline' | 'quiet' | 'danger' | 'danger-outline'

const SHAPE =
  'relative print:hidden inline-flex min-h-11 items-center justify-center gap-2 rounded-field border px-5 py-2 text-center font-semibold no-underline transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress'

const VARIANTS: Record<ButtonVariant, string> = {
  solid:
    'border-hedge bg-hedge text-paper not-disabled:hover:border-hedge-deep not-disabled:hover:bg-hedge-deep',
  outline: 'border-outline bg-surface text-ink not-disabled:hover:border-hedge not-disabled:hover:text-hedge',
  // For what cannot be undone.
  danger: 'border-berry bg-berry text-paper not-disabled:hover:border-ink',
  // Leads to what cannot be undone, and asks first.
  'danger-outline': 'border-outline bg-surface text-berry not-disabled:hover:border-berry',
  quiet: 'border-transparent bg-transparent text-hedge not-disabled:hover:bg-hedge-tint',
}

/** One look for what presses and what leads. */
export const buttonLook = (variant: ButtonVariant, more = ''): string =>
  `${SHAPE} ${VARIANTS[variant]} ${more}`
