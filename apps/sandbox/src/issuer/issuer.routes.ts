import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Gateway } from '#gateway/gateway.ts'
import { declineIfLate } from '#gateway/sale.ts'
import { bankAnswer } from '#issuer/bank-answer.ts'
import { confirmationPage, notAskedPage } from '#issuer/confirmation-page.ts'
import { methodPage } from '#issuer/method-page.ts'
import { decodeBankMessage, encodeBankMessage } from '#next-actions/bank-message.ts'
import { sendPage, sendSelfPostingPage } from '#pages/page-reply.ts'
import type { NextActionName } from '#payments/next-action.ts'
import type { WaitingPayment } from '#payments/payment.ts'
import { isWebAddress } from '#v2/field-rules.ts'

type Form = { Body: Record<string, unknown> | undefined }

const refuse = (reply: FastifyReply, reason: string, status = 400): FastifyReply =>
  sendPage(reply, notAskedPage(reason), status)

const sayNotAsked = (reply: FastifyReply): FastifyReply =>
  refuse(reply, 'This payment is not waiting for you, or is no longer waiting.', 410)

/** The payment that a message of the shop's page is about, while it waits for just this answer. */
const waitingFor = (
  gateway: Gateway,
  message: string,
  key: string,
  action: NextActionName,
): WaitingPayment | undefined => {
  const request = decodeBankMessage(message)
  const payment = typeof request?.payment_id === 'string' ? gateway.books.find(request.payment_id) : undefined
  if (payment) declineIfLate(gateway, payment)
  const isAsked = payment?.wait?.action === action && payment.wait.id === request?.[key]
  return isAsked ? (payment as WaitingPayment) : undefined
}

/** The card holder's bank: it takes the fields that the shop's page posts, and posts its own back. */
export const issuerRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  const { merchantName } = gateway.settings

  app.post<Form>('/acs', (request, reply) => {
    const { PaReq, MD, TermUrl } = request.body ?? {}
    if (typeof PaReq !== 'string' || typeof MD !== 'string' || typeof TermUrl !== 'string') {
      return refuse(reply, 'The shop sent you here without saying what to confirm.')
    }
    if (!isWebAddress(TermUrl)) return refuse(reply, 'The shop did not give a web address to return to.')
    const payment = waitingFor(gateway, PaReq, 'challenge', 'challenge')
    if (!payment) return sayNotAsked(reply)
    const fieldsFor = (isApproved: boolean) => ({ PaRes: bankAnswer(PaReq, isApproved), MD })
    return sendPage(reply, confirmationPage({ payment, merchantName, action: TermUrl, fieldsFor }))
  })

  app.post<Form>('/acs/method', (request, reply) => {
    const data = request.body?.threeDSMethodData ?? request.body?.['3DSMethodData']
    if (typeof data !== 'string') return refuse(reply, 'The shop sent no data for the bank.')
    const payment = waitingFor(gateway, data, 'threeDSServerTransID', 'method')
    const notificationUrl = payment?.acsReturn?.notificationUrl
    if (!payment || !notificationUrl) return sayNotAsked(reply)
    const notice = encodeBankMessage({ threeDSServerTransID: payment.wait.id })
    return sendSelfPostingPage(reply, methodPage(notificationUrl, notice))
  })

  app.post<Form>('/acs/challenge', (request, reply) => {
    const { creq, threeDSSessionData } = request.body ?? {}
    if (typeof creq !== 'string' || typeof threeDSSessionData !== 'string') {
      return refuse(reply, 'The shop sent you here without saying what to confirm.')
    }
    const payment = waitingFor(gateway, creq, 'challenge', 'native-challenge')
    const action = payment?.acsReturn?.resultUrl
    if (!payment || !action) return sayNotAsked(reply)
    const fieldsFor = (isApproved: boolean) => ({ cres: bankAnswer(creq, isApproved), threeDSSessionData })
    return sendPage(reply, confirmationPage({ payment, merchantName, action, fieldsFor }))
  })
}
