import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

/** Plain calls, not mutations: a mutation's cache would remember the password. */
export const logIn = (body: CallOptions<'login'>['body']) => api.call('login', { body })
