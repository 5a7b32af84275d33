import { ApiError } from '@hedgerow/contract/client'
import { useState } from 'react'
import { newPassword } from '#features/profile/new-password.ts'
import { api } from '#lib/api.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button } from '#ui/button.tsx'
import { FormNotice } from '#ui/form/form-notice.tsx'
import { PasswordField } from '#ui/form/password-field.tsx'

type ChangePasswordFormProps = { email: string; onChanged: () => void }

/** A plain call, not a mutation: a mutation's cache would remember the passwords. */
export const ChangePasswordForm = ({ email, onChanged }: ChangePasswordFormProps) => {
  const { field, submit, refuse, isValid, isBusy } = useCheckedForm(newPassword, [
    'password',
    'newPassword',
    'repeat',
  ])
  const [problem, setProblem] = useState<string>()

  const fail = (error: unknown) => {
    if (error instanceof ApiError && error.status === 422 && refuse(error.problem)) return
    setProblem(messageOf(error))
  }

  const onSubmit = submit(async ({ password, newPassword }) => {
    setProblem(undefined)
    await api.call('changePassword', { body: { password, newPassword } }).then(onChanged, fail)
  })

  return (
    <form
      method="post"
      noValidate
      aria-label="Change your password"
      onSubmit={(event) => void onSubmit(event)}
      className="max-w-form space-y-5"
    >
      {problem && <FormNotice title="The password was not changed">{problem}</FormNotice>}
      {/* Tells password managers whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Old password" autoComplete="current-password" {...field('password')} />
      <PasswordField
        label="New password"
        hint="8 characters or more. A short sentence is good."
        autoComplete="new-password"
        {...field('newPassword')}
      />
      <PasswordField label="Repeat password" autoComplete="new-password" {...field('repeat')} />
      <Button type="submit" disabled={!isValid} busy={isBusy}>
        Change password
      </Button>
    </form>
  )
}
