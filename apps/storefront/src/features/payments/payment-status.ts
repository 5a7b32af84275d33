import { api } from '#lib/api.ts'

export const paymentStatus = (paymentId: string, signal: AbortSignal) =>
  api.call('paymentStatus', { params: { paymentId }, signal })
