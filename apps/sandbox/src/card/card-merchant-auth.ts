import * as z from 'zod/mini'
import { completeAction, getWaiting } from '#gateway/sale.ts'
import { GateError } from '#payments/gate-error.ts'
import { checkFields, matching, required } from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'

type Body = { general: { type: 'start' | 'finish' }; confirmation_code?: string }

const CODE_FIELDS = z.object({ confirmation_code: required(matching(/^\d{4,6}$/, '4 to 6 digits')) })

const WRONG_CODE = '0000'

/** First the customer agrees to be sent a code, then the shop hands the code over. */
export const cardMerchantAuth: GateCall<Body> = {
  path: '/payment/card/merchant_auth',
  fields: z.object({ 'general.type': required(matching(/^(start|finish)$/, 'start or finish')) }),
  handle: (body, gateway) => {
    const isFinish = body.general.type === 'finish'
    if (isFinish) checkFields(body, CODE_FIELDS)
    const payment = getWaiting(gateway, body.general.payment_id, 'merchant-auth')
    if (!isFinish) {
      payment.wait.isAuthStarted = true
      gateway.books.save(payment)
      return undefined
    }
    if (!payment.wait.isAuthStarted) throw new GateError(400, '3060')
    completeAction(gateway, payment, body.confirmation_code === WRONG_CODE ? '10102' : undefined)
    return undefined
  },
}
