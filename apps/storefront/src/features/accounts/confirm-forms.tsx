import { ConfirmProofs, type ConfirmRequest } from '@hedgerow/contract/accounts'
import { MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { typedTwice } from '@hedgerow/web/form/typed-twice.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import type { SubmitEventHandler } from 'react'
import * as z from 'zod/mini'
import { NewPasswordFields } from '#shared/new-password-fields.tsx'

type FormProps = {
  confirm: (proof: ConfirmRequest) => Promise<void>
  /** Whose password it is, once it is known. */
  email?: string | undefined
}

/** Filled in, for password managers too; nothing of it is sent. */
const Address = ({ email = '' }: { email?: string | undefined }) => (
  <Field label="Email" type="email" name="username" autoComplete="username" value={email} readOnly />
)

const FAILURE = 'Your email was not confirmed'

const chosenResolver = checkedBy(z.pick(ConfirmProofs, { password: true }))

/** For who signed up in another browser. */
export const ChosenPasswordForm = ({ confirm, email }: FormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(chosenResolver, ['password'])
  const onSubmit: SubmitEventHandler = (event) => void send(({ password }) => confirm({ password }))(event)

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="space-y-5">
      {problem && <FormNotice title={FAILURE}>{problem}</FormNotice>}
      <Address email={email} />
      <PasswordField
        label="Password"
        hint="The one chosen when the account was opened."
        autoComplete="current-password"
        {...field('password')}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Continue
      </Button>
    </form>
  )
}

const newResolver = typedTwice(
  z.pick(ConfirmProofs, { newPassword: true }),
  'newPassword',
  MESSAGES.passwordsDiffer,
)

/** For the owner of an address that someone else typed, or who has forgotten the password. */
export const OwnPasswordForm = ({ confirm, email }: FormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(newResolver, ['newPassword', 'repeat'])
  const onSubmit: SubmitEventHandler = (event) =>
    void send(({ newPassword }) => confirm({ newPassword }))(event)

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="space-y-5">
      {problem && <FormNotice title={FAILURE}>{problem}</FormNotice>}
      <Address email={email} />
      <NewPasswordFields chosen={field('newPassword')} repeat={field('repeat')} />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Continue
      </Button>
    </form>
  )
}
