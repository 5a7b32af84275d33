import { ForgotRequest } from '@hedgerow/contract/accounts'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'

const resolver = checkedBy(ForgotRequest)

type EmailFormProps = {
  label: string
  /** Heading of the notice when it fails. */
  failure: string
  call: (body: { username: string }) => Promise<unknown>
  onSent: (email: string) => void
}

/** One email field and what is sent to it: a link to reset the password, or a new confirmation link. */
export const EmailForm = ({ label, failure, call, onSent }: EmailFormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, ['username'])
  const onSubmit = send(call, (_, { username }) => onSent(username))

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice title={failure}>{problem}</FormNotice>}
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck="false"
        {...field('username')}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        {label}
      </Button>
    </form>
  )
}
