import { ForgotRequest } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { useState } from 'react'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { FormNotice } from '#ui/form/form-notice.tsx'

const resolver = checkedBy(ForgotRequest)

type EmailFormProps = {
  label: string
  /** Heading of the notice when it fails. */
  failure: string
  send: (body: { username: string }) => Promise<unknown>
  onSent: (email: string) => void
}

/** One email field and what is sent to it: a link to reset the password, or a new confirmation link. */
export const EmailForm = ({ label, failure, send, onSent }: EmailFormProps) => {
  const { field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, ['username'])
  const [problem, setProblem] = useState<string>()

  const fail = (error: unknown) => {
    if (error instanceof ApiError && error.status === 422 && refuse(error.problem)) return
    setProblem(messageOf(error))
  }

  const onSubmit = submit(async (values) => {
    setProblem(undefined)
    await send(values).then(() => onSent(values.username), fail)
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice title={failure}>{problem}</FormNotice>}
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        {label}
      </Button>
    </form>
  )
}
