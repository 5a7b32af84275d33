import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'
import { expireSession, intentOf, isOpen } from '#stripe/checkout.ts'
import { dashboardPage, paymentPage } from '#stripe/dashboard-page.ts'
import { isDisputeStatus, moveDispute, openDispute } from '#stripe/disputes.ts'
import { newId, nowInSeconds } from '#stripe/object-types.ts'
import { failPayout, payOutAll } from '#stripe/payouts.ts'
import { failRefund } from '#stripe/refunds.ts'
import { type StripeAccount, takeEndpoint } from '#stripe/stripe-account.ts'

type WithId = { Params: { id: string } }
type Form = { Body: Record<string, unknown> | undefined }

const ON_THE_PAGE = 100
const ROLLED_FOR_S = 3_600

const noSuch = (reply: FastifyReply): FastifyReply =>
  reply.code(404).send({ error: 'There is no such object' })
const notNow = (reply: FastifyReply, why: string): FastifyReply => reply.code(409).send({ error: why })

/** What Stripe's dashboard does, and what the world does to a payment: by a page, and for programs. */
export const dashboardRoutes = (account: StripeAccount) => async (app: FastifyInstance) => {
  const { books, faults, settings } = account

  /** A browser goes back to where it was; a program gets the object. */
  const done = (
    request: FastifyRequest,
    reply: FastifyReply,
    object: object,
    place = '/stripe',
  ): FastifyReply =>
    request.headers.accept?.includes('text/html') ? reply.redirect(place, 303) : reply.send(object)
  const placeOf = (intent: string): string => `/stripe/sessions/cs_test_${intent.slice('pi_'.length)}`

  app.get('/stripe', (_request, reply) =>
    sendPage(
      reply,
      dashboardPage({
        sessions: books.sessions.all().slice(0, ON_THE_PAGE),
        payouts: books.payouts.all().slice(0, ON_THE_PAGE),
        endpoints: books.endpoints.all(),
        faults: faults.switches,
        url: account.publicUrl,
        key: settings.stripeKey,
      }),
    ),
  )

  app.get<WithId>('/stripe/sessions/:id', (request, reply) => {
    const session = books.sessions.find(request.params.id)
    if (!session) return sendPage(reply, notFoundPage('There is no such checkout session.'), 404)
    const intent = intentOf(account, session)
    const isOfIt = (each: { payment_intent: string }) => each.payment_intent === intent.id
    const page = paymentPage({
      session,
      intent,
      charges: books.charges.all().filter(isOfIt),
      refunds: books.refunds.all().filter(isOfIt),
      disputes: books.disputes.all().filter(isOfIt),
      events: books.events.all().filter(({ data }) => {
        const { id, payment_intent } = data.object as { id?: string; payment_intent?: string }
        return id === session.id || id === intent.id || payment_intent === intent.id
      }),
    })
    return sendPage(reply, page)
  })

  app.post<WithId>('/stripe/sessions/:id/expire', (request, reply) => {
    const session = books.sessions.find(request.params.id)
    if (!session) return noSuch(reply)
    if (!isOpen(account, session)) return notNow(reply, `The session is ${session.status}`)
    return done(request, reply, expireSession(account, session), `/stripe/sessions/${session.id}`)
  })

  app.post<WithId & Form>('/stripe/charges/:id/dispute', (request, reply) => {
    const charge = books.charges.find(request.params.id)
    if (!charge) return noSuch(reply)
    if (!charge.paid || charge.disputed || charge.refunded)
      return notNow(reply, 'There is nothing to dispute')
    const { reason, inquiry } = request.body ?? {}
    const why = typeof reason === 'string' ? reason.slice(0, 100) : 'fraudulent'
    const dispute = openDispute(account, charge, why, inquiry === true || inquiry === 'true')
    return done(request, reply, dispute, placeOf(charge.payment_intent))
  })

  app.post<WithId & Form>('/stripe/disputes/:id/move', (request, reply) => {
    const dispute = books.disputes.find(request.params.id)
    if (!dispute) return noSuch(reply)
    const status = request.body?.status
    if (!isDisputeStatus(status)) return reply.code(400).send({ error: 'There is no such status' })
    if (!moveDispute(account, dispute, status)) return notNow(reply, `The dispute is ${dispute.status}`)
    return done(request, reply, dispute, placeOf(dispute.payment_intent))
  })

  app.post<WithId>('/stripe/refunds/:id/fail', (request, reply) => {
    const refund = books.refunds.find(request.params.id)
    if (!refund) return noSuch(reply)
    if (!failRefund(account, refund)) return notNow(reply, `The refund is ${refund.status}`)
    return done(request, reply, refund, placeOf(refund.payment_intent))
  })

  app.post('/stripe/payouts', (request, reply) => {
    const payout = payOutAll(account)
    return payout ? done(request, reply, payout) : notNow(reply, 'There is nothing to pay out')
  })

  app.post<WithId>('/stripe/payouts/:id/fail', (request, reply) => {
    const payout = books.payouts.find(request.params.id)
    if (!payout) return noSuch(reply)
    if (!failPayout(account, payout)) return notNow(reply, `The payout is ${payout.status}`)
    return done(request, reply, payout)
  })

  /** For a shop whose address is known only once it listens. */
  app.post<Form>('/stripe/endpoints', (request, reply) => {
    const url = String(request.body?.url)
    if (!['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
      return reply.code(400).send({ error: 'Not an http or https address' })
    takeEndpoint(books, { ...settings, stripeWebhookUrl: url })
    return done(request, reply, { url })
  })

  app.post<WithId>('/stripe/endpoints/:id/roll', (request, reply) => {
    const endpoint = books.endpoints.find(request.params.id)
    if (!endpoint) return noSuch(reply)
    const now = nowInSeconds()
    const rolled = endpoint.rolled.filter(({ until }) => until > now)
    endpoint.rolled = [{ secret: endpoint.signingSecret, until: now + ROLLED_FOR_S }, ...rolled].slice(0, 2)
    endpoint.signingSecret = newId('whsec')
    books.endpoints.put(endpoint)
    return done(request, reply, { id: endpoint.id, secret: endpoint.signingSecret })
  })
}
