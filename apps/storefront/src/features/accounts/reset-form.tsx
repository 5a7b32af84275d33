import { type ResetReply, ResetRequest } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import { MESSAGES } from '@hedgerow/domain/messages'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { typedTwice } from '@hedgerow/web/form/typed-twice.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { api } from '#lib/api.ts'
import { NewPasswordFields } from '#shared/new-password-fields.tsx'

/** The token is not part of what is typed. */
const resolver = typedTwice(z.pick(ResetRequest, { password: true }), 'password', MESSAGES.passwordsDiffer)

/** The password is to be another one, or it is to be sent later; every other failure has a page (spec §8). */
const MAY_COME_RIGHT = [422, 429]

type ResetFormProps = {
  token: string
  email: string | undefined
  onReset: (reply: ResetReply) => void
  onFailed: () => void
}

export const ResetForm = ({ token, email, onReset, onFailed }: ResetFormProps) => {
  const { field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, ['password', 'repeat'])
  const [problem, setProblem] = useState<string>()

  const fail = (error: unknown) => {
    if (!(error instanceof ApiError && MAY_COME_RIGHT.includes(error.status))) return onFailed()
    if (error.status === 422 && refuse(error.problem)) return
    setProblem(error.message)
  }

  const onSubmit = submit(async ({ password }) => {
    setProblem(undefined)
    await api.call('resetPassword', { body: { token, password } }).then(onReset, fail)
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice title="The password was not changed">{problem}</FormNotice>}
      <UserName value={email} />
      <NewPasswordFields chosen={field('password')} repeat={field('repeat')} />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Continue
      </Button>
    </form>
  )
}
