import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { type ButtonVariant, buttonLook } from '#ui/button-look.ts'
import { Spinner } from '#ui/spinner.tsx'

type ButtonProps = ComponentProps<'button'> & { variant?: ButtonVariant; busy?: boolean }

/** While busy the label keeps its room under the spinner, so the button keeps its width, and presses do nothing. */
export const Button = ({
  variant = 'solid',
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) => {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Also keeps a second press of a submit button from sending the form again.
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={buttonLook(variant, className)}
      onClick={press}
    >
      <span className={`inline-flex items-center gap-2 ${busy ? 'opacity-0' : ''}`}>{children}</span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}

type ButtonLinkProps = {
  to: string
  variant?: ButtonVariant
  'aria-describedby'?: string
  /** Handed over to the page that it leads to. */
  state?: unknown
  className?: string
  children: ReactNode
}

export const ButtonLink = ({ to, variant = 'solid', className, children, ...rest }: ButtonLinkProps) => (
  <Link {...rest} to={to} className={buttonLook(variant, className)}>
    {children}
  </Link>
)
