import { EraseAccountRequest } from '@hedgerow/contract/profile'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import type { ReactNode } from 'react'
import { api } from '#lib/api.ts'

const resolver = checkedBy(EraseAccountRequest)

type DeleteAccountFormProps = {
  email: string
  /** What else is lost. */
  warning: ReactNode
  onDeleted: () => void
  onCancel: () => void
}

/** What is lost and what stays, and two things to type: nobody deletes an account by a slip of the hand. */
export const DeleteAccountForm = ({ email, warning, onDeleted, onCancel }: DeleteAccountFormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, ['email', 'password'])
  const onSubmit = send((body) => api.call('eraseAccount', { body }), onDeleted)

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice title="Your account was not deleted">{problem}</FormNotice>}
      <div className="space-y-3">
        <p>
          You lose your profile, your connections with the days left on them, your promocode and what is in
          your partner account, at once and for good. Deleting the account refunds nothing. If you can still
          cancel a purchase, do that first.
        </p>
        <p className="text-quiet-ink">
          We keep invoices and credit notes, with your name and address and the name on the card, for as long
          as the law requires. They are no longer linked to an account. We will send one last email to{' '}
          <span className="font-medium break-words text-ink">{email}</span>.
        </p>
      </div>
      {warning}
      <Field
        label="Type your email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        {...field('email')}
      />
      <UserName value={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          Keep my account
        </Button>
        <Button type="submit" variant="danger" disabled={!isValid} busy={isBusy}>
          Delete for good
        </Button>
      </div>
    </form>
  )
}
