import type { FastifyInstance, FastifyReply } from 'fastify'
import { presentBookEntry } from '#books/present-books.ts'
import { isAskingCustomer, takeCustomerAnswer } from '#customer/customer-answer.ts'
import { answeredPage, questionPage } from '#customer/question-page.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { declineIfLate } from '#gateway/sale.ts'
import { notAskedPage } from '#issuer/confirmation-page.ts'
import { sendPage } from '#pages/page-reply.ts'
import { type Payment, returnUrlAfter } from '#payments/payment.ts'

type WithId = { Params: { id: string } }
type Form = { session?: string; answer?: string; code?: string }
type JsonAnswer = { answer?: unknown; code?: unknown }

/** The payment, if it waits for this customer: the session was handed to no one else. */
const askedIn = (gateway: Gateway, id: string, session: string | undefined): Payment | undefined => {
  const payment = gateway.books.find(id)
  if (payment) declineIfLate(gateway, payment)
  return payment && isAskingCustomer(payment) && payment.wait?.id === session ? payment : undefined
}

const sayNotAsked = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, notAskedPage('This payment is not waiting for you, or is no longer waiting.'), 410)

/** On to the next question, to the shop, or, from another screen, nowhere. */
const goOnFrom = (
  reply: FastifyReply,
  payment: Payment,
  action: string,
  isApproved: boolean,
): FastifyReply => {
  if (payment.wait?.action === 'bank-app') {
    return reply.redirect(`/at-bank/${encodeURIComponent(payment.id)}?session=${payment.wait.id}`, 303)
  }
  const url = action === 'qr' ? undefined : returnUrlAfter(payment, isApproved ? 'success' : 'decline')
  return url ? reply.redirect(url, 303) : sendPage(reply, answeredPage(isApproved))
}

/** Banks and providers to which the customer's browser is sent, and who send it back to the shop. */
export const customerRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  const { merchantName } = gateway.settings

  app.get<WithId & { Querystring: { session?: string } }>('/at-bank/:id', (request, reply) => {
    const { session = '' } = request.query
    const payment = askedIn(gateway, request.params.id, session)
    if (!payment) return sayNotAsked(reply)
    return sendPage(reply, questionPage({ payment, session, merchantName }))
  })

  app.post<WithId & { Body: Form | undefined }>('/at-bank/:id', (request, reply) => {
    const { session = '', answer, code } = request.body ?? {}
    const payment = askedIn(gateway, request.params.id, session)
    if (!payment?.wait) return sayNotAsked(reply)
    const { action } = payment.wait
    // A bank that is reached by a form is sent no answer at first.
    if (answer === undefined) return sendPage(reply, questionPage({ payment, session, merchantName }))
    const isApproved = answer === 'approve'
    const outcome = takeCustomerAnswer(gateway, payment, { isApproved, code: code ?? '' })
    if (outcome === 'wrong code') {
      return sendPage(reply, questionPage({ payment, session, merchantName, isCodeWrong: true }), 422)
    }
    return goOnFrom(reply, payment, action, isApproved)
  })

  app.post<WithId & { Body: JsonAnswer | null }>('/gate/payments/:id/answer', (request, reply) => {
    const payment = gateway.books.find(request.params.id)
    if (!payment) return reply.code(404).send({ error: 'There is no such payment' })
    const { answer, code } = request.body ?? {}
    if (answer !== 'approve' && answer !== 'refuse') {
      return reply.code(400).send({ error: 'The answer must be approve or refuse' })
    }
    const isApproved = answer === 'approve'
    const outcome = takeCustomerAnswer(gateway, payment, {
      isApproved,
      ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    })
    if (outcome !== 'taken') return reply.code(409).send({ error: `The answer was not taken: ${outcome}` })
    return presentBookEntry(payment)
  })
}
