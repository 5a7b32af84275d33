import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

export const forgotPassword = (body: CallOptions<'forgotPassword'>['body']) =>
  api.call('forgotPassword', { body })
