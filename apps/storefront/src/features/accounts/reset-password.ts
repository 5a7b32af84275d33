import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

export const resetPassword = (body: CallOptions<'resetPassword'>['body']) =>
  api.call('resetPassword', { body })
