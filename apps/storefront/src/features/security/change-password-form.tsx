import { ChangePasswordRequest } from '@hedgerow/contract/profile'
import { MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { typedTwice } from '@hedgerow/web/form/typed-twice.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { api } from '#lib/api.ts'
import { NewPasswordFields } from '#shared/new-password-fields.tsx'

const resolver = typedTwice(ChangePasswordRequest, 'newPassword', MESSAGES.passwordsDiffer)

type ChangePasswordFormProps = { email: string; onChanged: () => void }

export const ChangePasswordForm = ({ email, onChanged }: ChangePasswordFormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, [
    'password',
    'newPassword',
    'repeat',
  ])
  const onSubmit = send(
    ({ password, newPassword }) => api.call('changePassword', { body: { password, newPassword } }),
    onChanged,
  )

  return (
    <form
      method="post"
      noValidate
      aria-label="Change your password"
      onSubmit={(event) => void onSubmit(event)}
      className="max-w-form space-y-5"
    >
      {problem && <FormNotice title="The password was not changed">{problem}</FormNotice>}
      <UserName value={email} />
      <PasswordField label="Old password" autoComplete="current-password" {...field('password')} />
      <NewPasswordFields chosen={field('newPassword')} repeat={field('repeat')} />
      <Button type="submit" disabled={!isValid} busy={isBusy}>
        Change password
      </Button>
    </form>
  )
}
