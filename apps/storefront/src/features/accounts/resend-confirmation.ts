import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

export const resendConfirmation = (body: CallOptions<'resendConfirmation'>['body']) =>
  api.call('resendConfirmation', { body })
