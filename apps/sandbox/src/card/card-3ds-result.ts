import * as z from 'zod/mini'
import { completeAction, declineIfLate } from '#gateway/sale.ts'
import { isApproval } from '#issuer/bank-answer.ts'
import { GateError } from '#payments/gate-error.ts'
import type { Wait } from '#payments/payment.ts'
import { checkFields, required, text } from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'

type Body = { pares?: string; md?: string; cres?: string }

const ANSWER = text(65_536)
const BASIC_FIELDS = z.object({ pares: required(ANSWER), md: required(ANSWER) })

/** A second result for the same challenge, or one with the data of an earlier challenge, changes nothing. */
const isRequested = ({ md, cres }: Body, wait: Wait | undefined): wait is Wait =>
  cres === undefined ? wait?.shown.acs !== undefined && wait.shown.acs.md === md : isNative(wait)

const isNative = (wait: Wait | undefined): boolean => wait?.action === 'native-challenge'

export const card3dsResult: GateCall<Body> = {
  path: '/payment/card/3ds_result',
  fields: z.object({ cres: z.optional(ANSWER) }),
  handle: (body, gateway) => {
    if (body.cres === undefined) checkFields(body, BASIC_FIELDS)
    const payment = gateway.getPayment(body.general.payment_id)
    declineIfLate(gateway, payment)
    const { wait } = payment
    if (!isRequested(body, wait)) throw new GateError(400, '3060')
    completeAction(gateway, payment, isApproval(body.cres ?? body.pares ?? '', wait.id) ? undefined : '104')
    return undefined
  },
}
