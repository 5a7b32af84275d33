import type { Gateway } from '#gateway/gateway.ts'
import { completeAction, declineIfLate } from '#gateway/sale.ts'
import type { Code } from '#payments/codes.ts'
import type { NextActionName } from '#payments/next-action.ts'
import type { Payment } from '#payments/payment.ts'

export type CustomerAnswer = { isApproved: boolean; code?: string | undefined }

/** What a customer can answer at a bank or a provider, and what a refusal there makes of the sale. */
const REFUSALS: Partial<Record<NextActionName, Code>> = {
  bank: '20301',
  'bank-by-post': '20301',
  'blik-code': '20301',
  'bank-app': '20301',
  'provider-challenge': '104',
  qr: '10301',
}

export const BLIK_CODES = { wrong: '000000', inApp: '111111' }

export const isAskingCustomer = ({ wait }: Payment): boolean =>
  wait !== undefined && REFUSALS[wait.action] !== undefined

/** Returns whether the answer was taken. A Blik code that is wrong can be entered again. */
export const takeCustomerAnswer = (
  gateway: Gateway,
  payment: Payment,
  { isApproved, code = '123456' }: CustomerAnswer,
): 'taken' | 'wrong code' | 'not asked' => {
  declineIfLate(gateway, payment)
  const { wait } = payment
  const refusal = wait && REFUSALS[wait.action]
  if (!refusal) return 'not asked'
  if (isApproved && wait.action === 'blik-code') {
    if (!/^\d{6}$/.test(code) || code === BLIK_CODES.wrong) return 'wrong code'
    if (code === BLIK_CODES.inApp) return askInApp(gateway, payment)
  }
  completeAction(gateway, payment, isApproved ? undefined : refusal)
  return 'taken'
}

/** At once, because the same browser goes on to the page of the app. */
const askInApp = (gateway: Gateway, payment: Payment): 'taken' => {
  payment.plan.actions.splice(1, 0, 'bank-app')
  completeAction(gateway, payment, undefined, true)
  return 'taken'
}
