import { ChangePasswordRequest } from '@hedgerow/contract/profile'
import { MESSAGES } from '@hedgerow/domain/messages'
import type { FieldErrors, Resolver } from 'react-hook-form'
import { checkedBy } from '#lib/form/checked-by.ts'

export type PasswordChange = { password: string; newPassword: string; repeat: string }

const checkRequest = checkedBy(ChangePasswordRequest)

/** The contract's rules, and that the new password was typed twice alike, which the server never learns. */
export const newPassword: Resolver<PasswordChange> = async (values, context, options) => {
  const { errors: refused } = await checkRequest(values, context, options as never)
  const errors: FieldErrors<PasswordChange> = {
    ...(refused as FieldErrors<PasswordChange>),
    ...(values.newPassword === values.repeat
      ? {}
      : { repeat: { type: 'validate', message: MESSAGES.passwordsDiffer } }),
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}
