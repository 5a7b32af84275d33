import { required, text } from '#gateway/field-rules.ts'
import type { GateCall } from '#gateway/gate-call.ts'
import { GateError } from '#gateway/gate-error.ts'
import { declineIfLate, takeBankAnswer } from '#gateway/sale.ts'
import { isApproval } from '#issuer/bank-answer.ts'

const LONGEST_PARES = 65_536

export const card3dsResult: GateCall<{ pares: string; md: string }> = {
  path: '/payment/card/3ds_result',
  fields: [required('pares', text(LONGEST_PARES)), required('md', text(LONGEST_PARES))],
  handle: (body, gateway) => {
    const payment = gateway.getPayment(body.general.payment_id)
    declineIfLate(gateway, payment)
    // A second result for the same challenge, or one with the data of an earlier challenge, changes nothing.
    if (payment.challenge?.md !== body.md) throw new GateError(400, '3060')
    takeBankAnswer(gateway, payment, isApproval(body.pares, payment.challenge))
    return undefined
  },
}
