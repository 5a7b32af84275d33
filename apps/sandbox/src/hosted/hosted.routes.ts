import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gateway } from '#gateway/gateway.ts'
import { banksPage } from '#hosted/banks-page.ts'
import { cardPage } from '#hosted/card-page.ts'
import { countriesFor, pageAtBank, takeBank } from '#hosted/hosted-bank.ts'
import { cardOf, takeCard } from '#hosted/hosted-card.ts'
import { noPage } from '#hosted/page-brand.ts'
import { type PageQuery, readPageQuery } from '#hosted/page-query.ts'
import { sendPage } from '#pages/page-reply.ts'
import { GateError } from '#payments/gate-error.ts'

type Page = { Querystring: Record<string, unknown> }
type Form = Page & { Body: Record<string, unknown> | undefined }

/** The shop has sent the customer to pay from a bank, and left it to this page which. */
const isForBanks = ({ force_payment_group: group }: PageQuery) => group === 'openbanking'

/** The Payment Page: the shop sends its customers here, and the card is typed, or the bank chosen, here. */
export const hostedRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  const { settings } = gateway
  const read = ({ query }: FastifyRequest<Page>) => readPageQuery(query, settings, new Date())

  const show = (reply: FastifyReply, query: PageQuery, action: string, problem?: string) => {
    const status = problem ? 400 : 200
    if (!isForBanks(query))
      return sendPage(reply, cardPage(query, settings.merchantName, action, problem), status)
    const countries = countriesFor(query)
    if (countries.length === 0) return sendPage(reply, noPage('No bank can be used for this payment.'), 400)
    return sendPage(reply, banksPage(query, countries, settings.merchantName, action, problem), status)
  }

  /** Where someone goes on who has paid here, or begun to: at the bank, or the shop, which knows or soon will. */
  const placeAfter = (query: PageQuery): string | undefined => {
    const known = gateway.books.find(query.payment_id)
    if (!known || known.status === 'error') return undefined
    return pageAtBank(gateway, known) ?? query.merchant_success_url
  }

  app.get<Page>('/payment', (request, reply) => {
    const query = read(request)
    if (typeof query === 'string') return sendPage(reply, noPage(query), 400)
    const place = placeAfter(query)
    return place ? reply.redirect(place, 303) : show(reply, query, request.url)
  })

  app.post<Form>('/payment', (request, reply) => {
    const query = read(request)
    if (typeof query === 'string') return sendPage(reply, noPage(query), 400)
    const place = placeAfter(query)
    if (place) return reply.redirect(place, 303)
    const typed = request.body ?? {}
    if (isForBanks(query)) {
      const atBank = takeBank(gateway, query, typed.bank_id, request.ip)
      return atBank
        ? reply.redirect(atBank, 303)
        : show(reply, query, request.url, 'Choose a bank from the list.')
    }
    try {
      const isPaid = takeCard(gateway, query, cardOf(typed), request.ip)
      return reply.redirect(isPaid ? query.merchant_success_url : query.merchant_fail_url, 303)
    } catch (error) {
      if (!(error instanceof GateError)) throw error
      return show(reply, query, request.url, 'Check the card and try again.')
    }
  })
}
