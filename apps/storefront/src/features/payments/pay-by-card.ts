import type { CallOptions } from '@hedgerow/contract/client'
import { api } from '#lib/api.ts'

/** A plain call, not a mutation: a mutation's cache would remember the card. */
export const payByCard = (id: string, body: CallOptions<'payByCard'>['body']) =>
  api.call('payByCard', { params: { id }, body })
