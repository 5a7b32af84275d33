import type { FastifyInstance } from 'fastify'
import { frontPage } from '#front/front-page.ts'
import type { Gateway } from '#gateway/gateway.ts'
import type { Mailbox } from '#mail/mailbox.ts'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'

type Smtp = { host: string; port: number }

export const frontRoutes =
  (gateway: Gateway, mailbox: Mailbox, smtp: Smtp) => async (app: FastifyInstance) => {
    app.get('/', (_request, reply) =>
      sendPage(
        reply,
        frontPage({
          faults: gateway.faults.switches,
          payments: gateway.books.size,
          mails: mailbox.size,
          url: gateway.publicUrl,
          smtp: `smtp://${smtp.host}:${smtp.port}`,
          projectId: gateway.settings.projectId,
        }),
      ),
    )

    app.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  }

/** Set on the whole app: what no page and no call answers. */
export const answerNotFound = (app: FastifyInstance): void => {
  app.setNotFoundHandler((request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.code(404).send({ error: 'Not found' })
    return sendPage(reply, notFoundPage('The sandbox has no page at this address.'), 404)
  })
}
