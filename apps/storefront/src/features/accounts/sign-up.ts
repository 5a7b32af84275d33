import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

export const signUp = (body: CallOptions<'signup'>['body']) => api.call('signup', { body })
