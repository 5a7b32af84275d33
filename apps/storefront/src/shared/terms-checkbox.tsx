import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import type { ComponentProps } from 'react'

/** The consent that an account and a payment need, with what it is given to. */
export const TermsCheckbox = (props: Omit<ComponentProps<typeof Checkbox>, 'label'>) => (
  <Checkbox
    label={
      <>
        I accept the {/* In a tab of its own: the form stays as the customer has filled it in. */}
        <a href="/terms" target="_blank" rel="noopener" className="link">
          terms of service and the privacy policy
          <span className="sr-only"> (in a new tab)</span>
        </a>
      </>
    }
    {...props}
  />
)
