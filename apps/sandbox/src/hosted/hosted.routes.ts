import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountOf, CARD_FIELDS, type Card, checkExpiry } from '#card/card-sale.ts'
import { planFor } from '#card/test-cards.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { cardPage, noPage } from '#hosted/card-page.ts'
import { type PageQuery, readPageQuery } from '#hosted/page-query.ts'
import { sendPage } from '#pages/page-reply.ts'
import { GateError } from '#payments/gate-error.ts'
import { checkFields } from '#v2/field-rules.ts'
import { startSale } from '#v2/new-sale.ts'

type Page = { Querystring: Record<string, unknown> }
type Form = Page & { Body: Record<string, unknown> | undefined }

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

const cardOf = ({ pan, card_holder, month, year, cvv }: Record<string, unknown>): Card => {
  const card = {
    pan: asText(pan).replaceAll(' ', ''),
    card_holder: asText(card_holder),
    month: Number(asText(month)),
    year: Number(asText(year)) + (Number(asText(year)) < 100 ? 2000 : 0),
    cvv: asText(cvv),
  }
  checkFields({ card }, CARD_FIELDS)
  checkExpiry(card, new Date())
  return card
}

/** The page itself asks whatever a bank would: what is left of a test card is how it ends. Returns whether it is paid. */
const takeCard = (gateway: Gateway, query: PageQuery, card: Card, ip: string): boolean => {
  const { code } = planFor(card.pan)
  const body = {
    general: {
      project_id: gateway.settings.projectId,
      payment_id: query.payment_id,
      merchant_callback_url: query.merchant_callback_url,
    },
    customer: { id: query.customer_id, ip_address: ip },
    payment: {
      amount: Number(query.payment_amount),
      currency: query.payment_currency,
      ...(query.payment_description ? { description: query.payment_description } : {}),
    },
    return_url: { success: query.merchant_success_url, decline: query.merchant_fail_url },
  }
  startSale(gateway, body, randomUUID(), {
    method: 'card',
    account: accountOf(card),
    plan: { actions: [], code },
  })
  return code === '0'
}

/** The Payment Page: the shop sends its customers here, and the card is typed here. */
export const hostedRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  const { settings } = gateway
  const read = ({ query }: FastifyRequest<Page>) => readPageQuery(query, settings, new Date())

  app.get<Page>('/payment', (request, reply) => {
    const query = read(request)
    if (typeof query === 'string') return sendPage(reply, noPage(query), 400)
    const known = gateway.books.find(query.payment_id)
    // Paid here before: the shop knows how that went, or soon will.
    if (known && known.status !== 'error') return reply.redirect(query.merchant_success_url, 303)
    return sendPage(reply, cardPage(query, settings.merchantName, request.url))
  })

  app.post<Form>('/payment', (request, reply) => {
    const query = read(request)
    if (typeof query === 'string') return sendPage(reply, noPage(query), 400)
    try {
      const card = cardOf(request.body ?? {})
      const isPaid = takeCard(gateway, query, card, request.ip)
      return reply.redirect(isPaid ? query.merchant_success_url : query.merchant_fail_url, 303)
    } catch (error) {
      if (!(error instanceof GateError)) throw error
      if (error.code === '3041') return reply.redirect(query.merchant_success_url, 303)
      const page = cardPage(query, settings.merchantName, request.url, 'Check the card and try again.')
      return sendPage(reply, page, 400)
    }
  })
}
