import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import type { ComponentProps } from 'react'
import { wayIn } from '#lib/going-to.ts'

type TermsCheckboxProps = Omit<ComponentProps<typeof Checkbox>, 'label'> & {
  /** Where the page with the terms leads back to. */
  backTo: string | undefined
}

/** The consent that an account and a payment need, with what it is given to. */
export const TermsCheckbox = ({ backTo, ...props }: TermsCheckboxProps) => (
  <Checkbox
    label={
      <>
        I accept the {/* In a tab of its own: the form stays as the customer has filled it in. */}
        <a href={wayIn('/terms', { redirectUrl: backTo })} target="_blank" rel="noopener" className="link">
          terms of service and the privacy policy
          <span className="sr-only"> (in a new tab)</span>
        </a>
      </>
    }
    {...props}
  />
)
