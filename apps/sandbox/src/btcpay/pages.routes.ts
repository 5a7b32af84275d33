import type { FastifyInstance } from 'fastify'
import type { BtcpayServer } from '#btcpay/btcpay-server.ts'
import { act, watchInvoice } from '#btcpay/invoices.ts'
import { claimPage, dashboardPage, invoicePage } from '#btcpay/pages.ts'
import { BtcpayProblem } from '#btcpay/problem.ts'
import { claim, movePayout } from '#btcpay/pull-payments.ts'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'

type Page = { Params: { id: string }; Body: Record<string, unknown> | undefined }

const PAYS = new Set<unknown>(['full', 'lightning', 'part', 'over'])

const saidOf = ({ body }: BtcpayProblem): string =>
  Array.isArray(body) ? body.map(({ message }) => message).join(' ') : body.message

/** What customers see, what the store's owner does, and what the network makes of it. */
export const btcpayPages = (server: BtcpayServer) => async (app: FastifyInstance) => {
  const { books, settings } = server
  const { merchantName } = settings

  app.get('/btcpay', (_request, reply) => sendPage(reply, dashboardPage(server)))

  app.get<Page>('/i/:id', (request, reply) => {
    const invoice = books.invoices.find(request.params.id)
    return invoice
      ? sendPage(reply, invoicePage(invoice, merchantName))
      : sendPage(reply, notFoundPage('There is no such invoice.'), 404)
  })

  app.post<Page>('/i/:id', (request, reply) => {
    const invoice = books.invoices.find(request.params.id)
    if (!invoice) return sendPage(reply, notFoundPage('There is no such invoice.'), 404)
    const what = request.body?.act
    if (typeof what !== 'string' || !act(server, invoice, what))
      return reply.code(400).send({ error: 'There is no such act' })
    const { redirectURL, redirectAutomatically } = invoice.checkout
    const goesBack = redirectURL && redirectAutomatically && PAYS.has(what) && invoice.status !== 'New'
    return reply.redirect(goesBack ? redirectURL : `/i/${invoice.id}`, 303)
  })

  app.get<Page>('/pull-payments/:id', (request, reply) => {
    const pullPayment = books.pullPayments.find(request.params.id)
    return pullPayment
      ? sendPage(reply, claimPage(server, pullPayment))
      : sendPage(reply, notFoundPage('There is no such pull payment.'), 404)
  })

  app.post<Page>('/pull-payments/:id', (request, reply) => {
    const pullPayment = books.pullPayments.find(request.params.id)
    if (!pullPayment) return sendPage(reply, notFoundPage('There is no such pull payment.'), 404)
    try {
      claim(server, pullPayment, String(request.body?.destination ?? '').trim())
    } catch (error) {
      if (!(error instanceof BtcpayProblem)) throw error
      return sendPage(reply, claimPage(server, pullPayment, saidOf(error)), 422)
    }
    return reply.redirect(`/pull-payments/${pullPayment.id}`, 303)
  })

  app.post<{ Params: { id: string; state: string } }>('/btcpay/payouts/:id/:state', (request, reply) => {
    const payout = books.payouts.find(request.params.id)
    if (!payout) return reply.code(404).send({ error: 'There is no such payout' })
    if (!movePayout(server, payout, request.params.state))
      return reply.code(409).send({ error: `The payout is ${payout.state}` })
    return reply.redirect('/btcpay', 303)
  })
}

/** Takes up the invoices that a former run left open. */
export const resumeBtcpay = (server: BtcpayServer): void => {
  for (const invoice of server.books.invoices.all()) watchInvoice(server, invoice)
}
