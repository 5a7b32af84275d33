import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BtcpayServer } from '#btcpay/btcpay-server.ts'
import { createInvoice, markInvoice, presentInvoice, presentMethods } from '#btcpay/invoices.ts'
import { BtcpayProblem, checked, invalid, noSuch, sendProblem } from '#btcpay/problem.ts'
import { archivePullPayment, payoutsOf, presentPullPayment, refundInvoice } from '#btcpay/pull-payments.ts'
import { type Invoice, newId, type Webhook } from '#btcpay/records.ts'
import * as shapes from '#btcpay/shapes.ts'
import { presentDelivery, presentWebhook } from '#btcpay/webhooks.ts'
import { faultOfCall, isAnsweredWrong } from '#faults/call-fault.ts'
import type { Shelf } from '#shelves.ts'

type Call = FastifyRequest<{ Params: { store?: string; id?: string; delivery?: string } }>

const MOST_WEBHOOKS = 16
const ON_A_PAGE = 50
const HEIGHT = 900_000

const fits = (invoice: Invoice, search: shapes.Search): boolean => {
  const { orderId, status, startDate = 0, endDate = Number.POSITIVE_INFINITY, includeArchived } = search
  return (
    (includeArchived || !invoice.archived) &&
    (orderId?.includes(String(invoice.metadata.orderId)) ?? true) &&
    (status?.includes(invoice.status) ?? true) &&
    invoice.createdTime >= startDate &&
    invoice.createdTime <= endDate
  )
}

const get = <Value>(shelf: Shelf<Value>, what: string, id = ''): Value => {
  const found = shelf.find(id)
  if (found === undefined) throw noSuch(what)
  return found
}

const drop = (reply: FastifyReply): FastifyReply => {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** Greenfield v1, as far as a shop needs it, at the paths that servers of all ages have. */
export const greenfieldRoutes = (server: BtcpayServer) => async (app: FastifyInstance) => {
  const { books, settings, faults } = server

  /** Without a key: whoever has the id has the link. */
  const open = (work: (request: Call) => unknown) => async (request: Call, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1)
    const isQuestion = request.method === 'GET'
    // What makes something that a repeat would make again.
    const isSale = request.method === 'POST' && /\/(invoices|refund)$/.test(path)
    const fault = faultOfCall(faults, { path, isSale, isQuestion }, request.params.id ?? '')
    if (fault === '500') return reply.code(500).send()
    if (fault === 'hang') return reply.hijack()
    if (fault === 'drop-before-accept') return drop(reply)
    const answer = work(request) ?? ''
    return fault === 'drop-after-accept' ? drop(reply) : reply.send(answer)
  }
  const call = (work: (request: Call) => unknown) => {
    const answered = open(work)
    return async (request: Call, reply: FastifyReply) => {
      if (request.headers.authorization !== `token ${settings.btcpayKey}`)
        throw new BtcpayProblem(401, {
          code: 'unauthenticated',
          message: 'Authentication is required for accessing this endpoint',
        })
      const { store = settings.btcpayStore } = request.params
      if (store !== settings.btcpayStore)
        throw new BtcpayProblem(403, { code: 'missing-permission', message: 'Insufficient API Permissions.' })
      return answered(request, reply)
    }
  }
  const invoiceOf = ({ params }: Call) => get(books.invoices, 'invoice', params.id)
  const webhookOf = ({ params }: Call) => get(books.webhooks, 'webhook', params.id)
  const pullPaymentOf = ({ params }: Call) => get(books.pullPayments, 'pull payment', params.id)

  app.setErrorHandler<FastifyError | BtcpayProblem>((error, _request, reply) => {
    if (error instanceof BtcpayProblem) return sendProblem(reply, error)
    const status = error.statusCode ?? 500
    if (status >= 500) console.error('sandbox: BTCPay failed', error)
    return reply.code(status).send({ code: 'generic-error', message: error.message })
  })

  app.get(
    '/api/v1/server/info',
    call(() => ({
      version: '2.4.1',
      onion: null,
      supportedPaymentMethods: shapes.PAYMENT_METHODS,
      fullySynched: true,
      syncStatus: [
        {
          paymentMethodId: 'BTC-CHAIN',
          chainHeight: HEIGHT,
          syncHeight: HEIGHT,
          nodeInformation: { headers: HEIGHT, blocks: HEIGHT, verificationProgress: 1 },
          available: true,
        },
      ],
    })),
  )
  app.get(
    '/api/v1/stores/:store',
    call(() => ({
      id: settings.btcpayStore,
      name: settings.merchantName,
      website: null,
      defaultCurrency: 'GBP',
      defaultPaymentMethod: 'BTC-CHAIN',
      speedPolicy: 'MediumSpeed',
      archived: false,
    })),
  )
  app.get(
    '/api/v1/stores/:store/payment-methods',
    call(() => shapes.PAYMENT_METHODS.map((paymentMethodId) => ({ enabled: true, paymentMethodId }))),
  )

  app.post(
    '/api/v1/stores/:store/invoices',
    call(({ body }) => presentInvoice(server, createInvoice(server, checked(shapes.INVOICE, body)))),
  )
  app.get(
    '/api/v1/stores/:store/invoices',
    call(({ query }) => {
      const search = checked(shapes.SEARCH, query)
      const { skip = 0, take = ON_A_PAGE } = search
      const found = books.invoices.all().filter((invoice) => fits(invoice, search))
      return found.slice(skip, skip + take).map((invoice) => presentInvoice(server, invoice))
    }),
  )
  app.get(
    '/api/v1/stores/:store/invoices/:id',
    call((request) => {
      const invoice = invoiceOf(request)
      const isWrong = invoice.status === 'New' && isAnsweredWrong(faults, invoice.id)
      return { ...presentInvoice(server, invoice), ...(isWrong ? { amount: '0.01' } : {}) }
    }),
  )
  app.get(
    '/api/v1/stores/:store/invoices/:id/payment-methods',
    call((request) => {
      const { onlyAccountedPayments } = request.query as { onlyAccountedPayments?: unknown }
      return presentMethods(invoiceOf(request), onlyAccountedPayments !== 'false')
    }),
  )
  app.post(
    '/api/v1/stores/:store/invoices/:id/status',
    call((request) => {
      const invoice = invoiceOf(request)
      if (!markInvoice(server, invoice, checked(shapes.MARK, request.body).status))
        throw invalid('status', 'Status can only be marked to invalid or settled within certain conditions.')
      return presentInvoice(server, invoice)
    }),
  )
  app.delete(
    '/api/v1/stores/:store/invoices/:id',
    call((request) => books.invoices.put(Object.assign(invoiceOf(request), { archived: true }))),
  )
  app.post(
    '/api/v1/stores/:store/invoices/:id/refund',
    call((request) => {
      const params = checked(shapes.REFUND, request.body)
      return presentPullPayment(server, refundInvoice(server, invoiceOf(request), params))
    }),
  )

  app.get(
    '/api/v1/pull-payments/:id',
    open((request) => presentPullPayment(server, pullPaymentOf(request))),
  )
  app.get(
    '/api/v1/stores/:store/pull-payments',
    call(({ query }) => {
      const { includeArchived } = query as { includeArchived?: unknown }
      return books.pullPayments
        .all()
        .filter(({ archived }) => !archived || includeArchived === 'true')
        .map((pullPayment) => presentPullPayment(server, pullPayment))
    }),
  )
  app.delete(
    '/api/v1/stores/:store/pull-payments/:id',
    call((request) => archivePullPayment(server, pullPaymentOf(request))),
  )
  app.get(
    '/api/v1/pull-payments/:id/payouts',
    open((request) => {
      const { includeCancelled } = request.query as { includeCancelled?: unknown }
      return payoutsOf(server, pullPaymentOf(request), includeCancelled === 'true')
    }),
  )

  app.get(
    '/api/v1/stores/:store/webhooks',
    call(() => books.webhooks.all().map(presentWebhook)),
  )
  app.post(
    '/api/v1/stores/:store/webhooks',
    call(({ body }) => {
      const params = checked(shapes.WEBHOOK, body)
      if (books.webhooks.size >= MOST_WEBHOOKS) throw invalid('url', 'There are too many webhooks')
      const webhook: Webhook = { ...params, id: newId(), secret: params.secret ?? newId() }
      books.webhooks.put(webhook)
      return webhook
    }),
  )
  app.get(
    '/api/v1/stores/:store/webhooks/:id',
    call((request) => presentWebhook(webhookOf(request))),
  )
  app.delete(
    '/api/v1/stores/:store/webhooks/:id',
    call((request) => books.webhooks.remove(webhookOf(request).id)),
  )
  app.get(
    '/api/v1/stores/:store/webhooks/:id/deliveries',
    call((request) => {
      const { id } = webhookOf(request)
      const deliveries = books.deliveries.all().filter(({ event }) => event.webhookId === id)
      return deliveries.slice(0, ON_A_PAGE).map(presentDelivery)
    }),
  )
  app.post(
    '/api/v1/stores/:store/webhooks/:id/deliveries/:delivery/redeliver',
    call((request) => {
      webhookOf(request)
      // JSON, as the real server answers: a text in quotes.
      return JSON.stringify(server.redeliver(get(books.deliveries, 'delivery', request.params.delivery)))
    }),
  )
}
