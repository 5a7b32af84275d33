import type { FastifyInstance } from 'fastify'
import { isWebAddress } from '#gateway/field-rules.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { declineIfLate } from '#gateway/sale.ts'
import { decodeBankMessage } from '#issuer/bank-answer.ts'
import { confirmationPage, notAskedPage } from '#issuer/confirmation-page.ts'
import { sendPage } from '#pages/page-reply.ts'

type AcsForm = { PaReq?: unknown; MD?: unknown; TermUrl?: unknown }

/** The card holder's bank: it takes the three fields that the shop's page posts, and posts two back. */
export const issuerRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  app.post<{ Body: AcsForm | undefined }>('/acs', (request, reply) => {
    const { PaReq, MD, TermUrl } = request.body ?? {}
    if (typeof PaReq !== 'string' || typeof MD !== 'string' || typeof TermUrl !== 'string') {
      return sendPage(reply, notAskedPage('The shop sent you here without saying what to confirm.'), 400)
    }
    if (!isWebAddress(TermUrl)) {
      return sendPage(reply, notAskedPage('The shop did not give a web address to return to.'), 400)
    }
    const asked = decodeBankMessage(PaReq)
    const payment = gateway.books.find(String(asked?.payment_id))
    if (payment) declineIfLate(gateway, payment)
    const challenge = payment?.challenge
    if (!challenge || challenge.id !== asked?.challenge) {
      return sendPage(reply, notAskedPage('This payment is not waiting for you, or no longer.'), 410)
    }
    const { merchantName } = gateway.settings
    return sendPage(reply, confirmationPage({ payment, challenge, md: MD, termUrl: TermUrl, merchantName }))
  })
}
