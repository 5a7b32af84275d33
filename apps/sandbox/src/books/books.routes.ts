import type { FastifyInstance } from 'fastify'
import type { Books } from '#books/books.ts'
import { booksPage } from '#books/books-page.ts'
import { paymentPage } from '#books/payment-page.ts'
import { presentBookEntry, presentTotals } from '#books/present-books.ts'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'

const ON_THE_PAGE = 100

type WithId = { Params: { id: string } }
type Paging = { Querystring: { limit?: string; before?: string } }

export const booksRoutes = (books: Books) => async (app: FastifyInstance) => {
  app.get<Paging>('/gate/payments', (request, reply) => {
    const { limit, before } = request.query
    const count = limit === undefined ? books.size : Number(limit)
    if (!Number.isInteger(count) || count < 0) {
      return reply.code(400).send({ error: 'limit must be a whole number' })
    }
    if (before !== undefined && !books.find(before)) {
      return reply.code(404).send({ error: 'There is no payment of the id in before' })
    }
    return books.newest(count, before).map(presentBookEntry)
  })

  app.get<WithId>('/gate/payments/:id', (request, reply) => {
    const payment = books.find(request.params.id)
    return payment ? presentBookEntry(payment) : reply.code(404).send({ error: 'There is no such payment' })
  })

  app.get('/gate/totals', () => presentTotals(books.all()))

  app.get('/gate', (_request, reply) =>
    sendPage(reply, booksPage(books.newest(ON_THE_PAGE), presentTotals(books.all()))),
  )

  app.get<WithId>('/gate/:id', (request, reply) => {
    const payment = books.find(request.params.id)
    if (!payment) return sendPage(reply, notFoundPage('There is no such payment in the books.'), 404)
    return sendPage(reply, paymentPage(payment))
  })
}
