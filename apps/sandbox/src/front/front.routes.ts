import { createKnownMethods } from '@hedgerow/io/known-methods'
import type { FastifyInstance } from 'fastify'
import type { BtcpayServer } from '#btcpay/btcpay-server.ts'
import { carriersRoutes, carriersSection } from '#front/carriers.ts'
import { frontPage } from '#front/front-page.ts'
import type { Gateway } from '#gateway/gateway.ts'
import type { Mailbox } from '#mail/mailbox.ts'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'

type Smtp = { host: string; port: number }

export const frontRoutes =
  (gateway: Gateway, stripe: StripeAccount, btcpay: BtcpayServer, mailbox: Mailbox, smtp: Smtp) =>
  async (app: FastifyInstance) => {
    app.get('/', async (_request, reply) =>
      sendPage(
        reply,
        frontPage({
          carriers: await carriersSection(gateway.settings),
          faults: gateway.faults.switches,
          payments: gateway.books.size,
          checkouts: stripe.books.sessions.size,
          stripeKey: stripe.settings.stripeKey,
          invoices: btcpay.books.invoices.size,
          btcpayStore: btcpay.settings.btcpayStore,
          btcpayKey: btcpay.settings.btcpayKey,
          mails: mailbox.size,
          url: gateway.publicUrl,
          smtp: `smtp://${smtp.host}:${smtp.port}`,
          projectId: gateway.settings.projectId,
        }),
      ),
    )

    await app.register(carriersRoutes(gateway.settings))

    app.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  }

/** Set on the whole app, before its routes: what no page and no call answers, or not to this method. */
export const answerNotFound = (app: FastifyInstance): void => {
  const known = createKnownMethods()
  app.addHook('onRoute', ({ url, method }) => known.add(url, [method].flat()))
  app.addHook('onRequest', async (request, reply) => {
    const allow = request.is404 ? known.at(request.url).join(', ') : ''
    if (allow)
      await reply
        .code(405)
        .header('allow', allow)
        .send({ error: `Only ${allow}` })
  })
  app.setNotFoundHandler((request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.code(404).send({ error: 'Not found' })
    return sendPage(reply, notFoundPage('The sandbox has no page at this address.'), 404)
  })
}
