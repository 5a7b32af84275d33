import { UndoRequest } from '@hedgerow/contract/email-change'
import { MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { typedTwice } from '@hedgerow/web/form/typed-twice.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import * as z from 'zod/mini'
import { api } from '#lib/api.ts'
import { NewPasswordFields } from '#shared/new-password-fields.tsx'

/** The token is not part of what is typed. */
const resolver = typedTwice(z.pick(UndoRequest, { password: true }), 'password', MESSAGES.passwordsDiffer)

type UndoEmailFormProps = { token: string; email: string | undefined; onUndone: (email: string) => void }

export const UndoEmailForm = ({ token, email, onUndone }: UndoEmailFormProps) => {
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, ['password', 'repeat'])
  const onSubmit = send(
    ({ password }) => api.call('undoEmailChange', { body: { token, password } }),
    ({ email }) => onUndone(email),
  )

  return (
    <form
      method="post"
      noValidate
      aria-label="Undo the change"
      onSubmit={(event) => void onSubmit(event)}
      className="space-y-5"
    >
      {problem && <FormNotice title="The change was not undone">{problem}</FormNotice>}
      <UserName value={email} />
      <NewPasswordFields chosen={field('password')} repeat={field('repeat')} />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Undo the change
      </Button>
    </form>
  )
}
