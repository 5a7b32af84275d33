import type { ComponentProps } from 'react'
import { Link } from 'wouter'
import { Checkbox } from '#ui/checkbox.tsx'

/** The consent that an account and a payment need, with what it is given to. */
export const TermsCheckbox = (props: Omit<ComponentProps<typeof Checkbox>, 'label'>) => (
  <Checkbox
    label={
      <>
        I accept the{' '}
        <Link to="/terms" className="link">
          terms of service and the privacy policy
        </Link>
      </>
    }
    {...props}
  />
)
