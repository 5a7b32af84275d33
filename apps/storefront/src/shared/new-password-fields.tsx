import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import type { ComponentProps } from 'react'

type FieldProps = Omit<ComponentProps<typeof PasswordField>, 'autoComplete' | 'hint' | 'label'>
type NewPasswordFieldsProps = { chosen: FieldProps; repeat: FieldProps }

/** A password that is chosen anew, typed twice. */
export const NewPasswordFields = ({ chosen, repeat }: NewPasswordFieldsProps) => (
  <>
    <PasswordField
      label="New password"
      hint="8 characters or more. A short sentence works well."
      autoComplete="new-password"
      {...chosen}
    />
    <PasswordField label="Repeat password" autoComplete="new-password" {...repeat} />
  </>
)
