import { Field } from '@hedgerow/ui/form/field.tsx'
import type { ComponentProps } from 'react'

type FieldOf = (name: 'firstName' | 'lastName' | 'email') => Omit<ComponentProps<typeof Field>, 'label'>

/** Who pays, where the payment is made on another page. */
export const PayerFields = ({ field, emailHint }: { field: FieldOf; emailHint: string }) => (
  <div className="grid gap-5 sm:grid-cols-2 sm:gap-x-4">
    <Field label="First name" autoComplete="given-name" maxLength={100} {...field('firstName')} />
    <Field label="Last name" autoComplete="family-name" maxLength={100} {...field('lastName')} />
    <Field
      label="Email (optional)"
      hint={emailHint}
      type="email"
      autoComplete="email"
      className="sm:col-span-2"
      {...field('email')}
    />
  </div>
)
