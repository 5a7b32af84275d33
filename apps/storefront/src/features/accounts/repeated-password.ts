import { ResetRequest } from '@hedgerow/contract/accounts'
import { MESSAGES } from '@hedgerow/domain/messages'
import type { FieldError, FieldErrors, Resolver } from 'react-hook-form'
import { checkedBy } from '#lib/form/checked-by.ts'

export type NewPassword = { password: string; repeat: string }

const checkRequest = checkedBy(ResetRequest)
/** The contract checks the whole request; the token is not part of what is typed. */
const SOME_TOKEN = 'token'

/** The contract's rule for a new password, and that it was typed twice alike, which the server never learns. */
export const repeatedPassword: Resolver<NewPassword> = async (values, context, options) => {
  const request = { password: values.password, token: SOME_TOKEN }
  const checked = await checkRequest(request, context, options as never)
  const errors: FieldErrors<NewPassword> = {
    ...(checked.errors.password ? { password: checked.errors.password as FieldError } : {}),
    ...(values.password === values.repeat
      ? {}
      : { repeat: { type: 'validate', message: MESSAGES.passwordsDiffer } }),
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}
