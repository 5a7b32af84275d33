import type { FastifyError, FastifyInstance } from 'fastify'
import { isAnsweredWrong } from '#faults/call-fault.ts'
import type { Shelf } from '#shelves.ts'
import * as params from '#stripe/call-params.ts'
import { createCalls } from '#stripe/calls.ts'
import type { Range } from '#stripe/check-params.ts'
import { createSession, expireSession } from '#stripe/checkout.ts'
import { closeDispute, updateDispute } from '#stripe/disputes.ts'
import { anEndpoint, presentAccount } from '#stripe/money-objects.ts'
import { API_VERSION, newId } from '#stripe/object-types.ts'
import { presentBalance } from '#stripe/payouts.ts'
import { presentList } from '#stripe/present.ts'
import { cancelRefund, createRefund } from '#stripe/refunds.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'
import type { StripeEvent } from '#stripe/stripe-books.ts'
import { noSuch, presentStripeError, StripeError, shown } from '#stripe/stripe-error.ts'

const MOST_ENDPOINTS = 16

const PATHS: Record<keyof typeof params.LIST_OF, string> = {
  sessions: 'checkout/sessions',
  intents: 'payment_intents',
  charges: 'charges',
  refunds: 'refunds',
  disputes: 'disputes',
  transactions: 'balance_transactions',
  payouts: 'payouts',
  events: 'events',
  endpoints: 'webhook_endpoints',
}

const isIn = (at: number, { gte = at, lte = at, gt = at - 1, lt = at + 1 }: Range): boolean =>
  at >= gte && at <= lte && at > gt && at < lt

/** Whether an object is as a list asks for it: a field as it is named, a time within its range. */
const isAs = (value: unknown, wanted: unknown): boolean =>
  typeof wanted === 'object' ? isIn(Number(value), wanted as Range) : value === wanted

type Filters = Record<string, unknown>

const fitsAll = (item: object, filters: Filters): boolean =>
  Object.entries(filters).every(
    ([name, wanted]) => wanted === undefined || isAs((item as Filters)[name], wanted),
  )

/** What a list of events asks for is none of their fields. */
const isWantedEvent = (item: object, types: unknown, isDelivered: unknown): boolean => {
  const { type, pending_webhooks } = item as StripeEvent
  return (
    (types === undefined || (types as string[]).includes(type)) &&
    (isDelivered === undefined || (pending_webhooks === 0) === isDelivered)
  )
}

const get = <Value>(shelf: Shelf<Value>, what: string, id: string): Value => {
  const found = shelf.find(id)
  if (found === undefined) throw noSuch(what, id)
  return found
}

const maskedKey = (key: string): string => (key === '' ? '' : `${key.slice(0, 8)}****${key.slice(-4)}`)

/** Stripe's API, as far as a shop needs it, at the paths that its client asks for. */
export const stripeRoutes = (account: StripeAccount) => async (app: FastifyInstance) => {
  const { books, settings } = account
  const call = createCalls(account)
  const list = (name: keyof typeof params.LIST_OF) =>
    call(params.LIST_OF[name], (given: params.ListParams) => {
      const { limit, starting_after, ending_before, expand, types, delivery_success, ...filters } = given
      const items: { id: string }[] = books[name].all()
      const fits = items.filter(
        (item) => fitsAll(item, filters) && isWantedEvent(item, types, delivery_success),
      )
      return presentList(fits, given, `/v1/${PATHS[name]}`)
    })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))

  app.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', newId('req'))
    const version = request.headers['stripe-version'] ?? API_VERSION
    const isVersion = typeof version === 'string' && /^\d{4}-\d\d-\d\d(\.[a-z]{1,20})?$/.test(version)
    reply.header('stripe-version', isVersion ? version : API_VERSION)
    const key = request.headers.authorization?.match(/^Bearer (\S{1,255})$/)?.[1] ?? ''
    if (key !== settings.stripeKey)
      throw new StripeError(
        401,
        key ? `Invalid API Key provided: ${maskedKey(key)}` : 'You did not provide an API key.',
      )
    if (!isVersion) throw new StripeError(400, 'Invalid Stripe API version')
  })

  app.setErrorHandler<FastifyError | StripeError>((error, _request, reply) => {
    if (error instanceof StripeError) return reply.code(error.httpStatus).send(presentStripeError(error))
    const status = error.statusCode ?? 500
    if (status >= 500) console.error('sandbox: Stripe failed', error)
    return reply.code(status).send(presentStripeError(new StripeError(status, error.message)))
  })

  app.all('/v1/*', ({ method, url }) => {
    throw new StripeError(404, `Unrecognized request URL (${method}: ${shown(url)}).`)
  })

  app.get('/v1/account', call(params.ONLY_EXPAND, presentAccount))
  app.get(
    '/v1/balance',
    call(params.ONLY_EXPAND, () => presentBalance(account)),
  )

  app.post(
    '/v1/checkout/sessions',
    call(params.SESSION, (given) => createSession(account, given)),
  )
  app.get('/v1/checkout/sessions', list('sessions'))
  app.get(
    '/v1/checkout/sessions/:id',
    call(params.ONLY_EXPAND, (_, id) => {
      const session = get(books.sessions, 'checkout.session', id)
      const isWrong = session.status === 'open' && isAnsweredWrong(account.faults, id)
      return isWrong ? { ...session, amount_total: 1 } : session
    }),
  )
  app.post(
    '/v1/checkout/sessions/:id/expire',
    call(params.ONLY_EXPAND, (_, id) => expireSession(account, get(books.sessions, 'checkout.session', id))),
  )

  app.get(
    '/v1/payment_intents/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.intents, 'payment_intent', id)),
  )
  app.get('/v1/payment_intents', list('intents'))
  app.get(
    '/v1/charges/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.charges, 'charge', id)),
  )
  app.get('/v1/charges', list('charges'))

  app.post(
    '/v1/refunds',
    call(params.REFUND, (given) => createRefund(account, given)),
  )
  app.get('/v1/refunds', list('refunds'))
  app.get(
    '/v1/refunds/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.refunds, 'refund', id)),
  )
  app.post(
    '/v1/refunds/:id/cancel',
    call(params.ONLY_EXPAND, (_, id) => cancelRefund(get(books.refunds, 'refund', id))),
  )

  app.get('/v1/disputes', list('disputes'))
  app.get(
    '/v1/disputes/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.disputes, 'dispute', id)),
  )
  app.post(
    '/v1/disputes/:id',
    call(params.DISPUTE, (given, id) => updateDispute(account, get(books.disputes, 'dispute', id), given)),
  )
  app.post(
    '/v1/disputes/:id/close',
    call(params.ONLY_EXPAND, (_, id) => closeDispute(account, get(books.disputes, 'dispute', id))),
  )

  app.get('/v1/balance_transactions', list('transactions'))
  app.get(
    '/v1/balance_transactions/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.transactions, 'balance transaction', id)),
  )
  app.get('/v1/payouts', list('payouts'))
  app.get(
    '/v1/payouts/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.payouts, 'payout', id)),
  )

  app.get('/v1/events', list('events'))
  app.get(
    '/v1/events/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.events, 'event', id)),
  )

  app.post(
    '/v1/webhook_endpoints',
    call(params.ENDPOINT, (given) => {
      if (books.endpoints.size >= MOST_ENDPOINTS)
        throw new StripeError(
          400,
          `You have reached the maximum of ${MOST_ENDPOINTS} test webhook endpoints.`,
        )
      const endpoint = { ...anEndpoint(given), metadata: given.metadata ?? {} }
      books.endpoints.put(endpoint)
      // Shown this once.
      return { ...endpoint, secret: endpoint.signingSecret }
    }),
  )
  app.get('/v1/webhook_endpoints', list('endpoints'))
  app.get(
    '/v1/webhook_endpoints/:id',
    call(params.ONLY_EXPAND, (_, id) => get(books.endpoints, 'webhook endpoint', id)),
  )
  app.post(
    '/v1/webhook_endpoints/:id',
    call(params.ENDPOINT_CHANGE, ({ expand, disabled, metadata, ...changes }, id) => {
      const endpoint = get(books.endpoints, 'webhook endpoint', id)
      Object.assign(endpoint, changes)
      Object.assign(endpoint.metadata, metadata)
      if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled'
      books.endpoints.put(endpoint)
      return endpoint
    }),
  )
  app.delete(
    '/v1/webhook_endpoints/:id',
    call(params.ONLY_EXPAND, (_, id) => {
      get(books.endpoints, 'webhook endpoint', id)
      books.endpoints.remove(id)
      return { id, object: 'webhook_endpoint', deleted: true }
    }),
  )
}
