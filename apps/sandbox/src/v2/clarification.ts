import * as z from 'zod/mini'
import { armTimeout, completeAction, getWaiting } from '#gateway/sale.ts'
import { clarificationFor, QUESTIONS, readAnswer } from '#next-actions/clarifications.ts'
import { GateError } from '#payments/gate-error.ts'
import { saleOf } from '#payments/payment.ts'
import { isObject, required } from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'

type Body = { additional_data: Record<string, unknown> }

/** What was asked for arrives, all at once or bit by bit: each bit is answered by a callback that lists the rest. */
export const clarification: GateCall<Body> = {
  path: '/payment/clarification',
  fields: z.object({
    additional_data: required(z.record(z.string(), z.unknown(), 'object of what was asked for')),
  }),
  handle: (body, gateway) => {
    const payment = getWaiting(gateway, body.general.payment_id)
    const { wait } = payment
    const question = QUESTIONS[wait.action]
    if (!question) throw new GateError(400, '3060')

    const values = body.additional_data[question.object]
    const answer = readAnswer(question, isObject(values) ? values : {})
    const given = [...new Set([...(wait.given ?? []), ...answer.given])]
    const refusal = wait.refusal ?? answer.refusal
    if (question.required.every((name) => given.includes(name))) {
      completeAction(gateway, payment, refusal)
      return undefined
    }
    wait.given = given
    if (refusal) wait.refusal = refusal
    wait.since = Date.now()
    wait.shown = { clarification_fields: clarificationFor(question, given, answer.errors) }
    saleOf(payment).updatedAt = wait.since
    armTimeout(gateway, payment)
    gateway.books.save(payment)
    gateway.later(() => {
      if (payment.wait === wait) gateway.publish(payment, saleOf(payment))
    })
    return undefined
  },
}
