import { EmailChangeRequest } from '@hedgerow/contract/email-change'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { api } from '#lib/api.ts'

const resolver = checkedBy(EmailChangeRequest)

type EmailChangeFormProps = { onAsked: () => Promise<void> }

export const EmailChangeForm = ({ onAsked }: EmailChangeFormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, ['email'])
  const onSubmit = send(async (body) => {
    await api.call('askForEmailChange', { body })
    await onAsked()
  })

  return (
    <form
      method="post"
      noValidate
      aria-label="Change your email"
      onSubmit={(event) => void onSubmit(event)}
      className="max-w-form space-y-5"
    >
      {problem && <FormNotice title="The link was not sent">{problem}</FormNotice>}
      <Field
        label="New email"
        hint="We will send it a link. Nothing changes until you use it."
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck="false"
        {...field('email')}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy}>
        Send the link
      </Button>
    </form>
  )
}
