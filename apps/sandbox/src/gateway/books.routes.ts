import type { FastifyInstance } from 'fastify'
import { booksPage } from '#gateway/books-page.ts'
import type { Gateway } from '#gateway/gateway.ts'
import { paymentPage } from '#gateway/payment-page.ts'
import { presentBookEntry, presentBookLine } from '#gateway/present-books.ts'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'

const ON_THE_PAGE = 100
const UNASKED = 1_000

type WithId = { Params: { id: string } }

export const booksRoutes = (gateway: Gateway) => async (app: FastifyInstance) => {
  app.get<{ Querystring: { limit?: string } }>('/gate/payments', (request) => {
    const limit = Math.trunc(Number(request.query.limit))
    return gateway.books.newest(limit > 0 ? limit : UNASKED).map(presentBookLine)
  })

  app.get<WithId>('/gate/payments/:id', (request, reply) => {
    const payment = gateway.books.find(request.params.id)
    return payment ? presentBookEntry(payment) : reply.code(404).send({ error: 'There is no such payment' })
  })

  app.get('/gate', (_request, reply) => sendPage(reply, booksPage(gateway.books.newest(ON_THE_PAGE))))

  app.get<WithId>('/gate/:id', (request, reply) => {
    const payment = gateway.books.find(request.params.id)
    if (!payment) return sendPage(reply, notFoundPage('The books have no such payment.'), 404)
    return sendPage(reply, paymentPage(payment))
  })
}
