import type { FastifyInstance } from 'fastify'
import { inboxPage, SHOWN } from '#mail/inbox-page.ts'
import type { Mailbox } from '#mail/mailbox.ts'
import { messagePage } from '#mail/message-page.ts'
import { mailDocument, presentMail, presentMailSummary } from '#mail/present-mail.ts'
import { notFoundPage } from '#pages/not-found-page.ts'
import { sendPage } from '#pages/page-reply.ts'

type WithId = { Params: { id: string } }
type WithAttachment = { Params: { id: string; index: string } }
type WithRecipient = { Querystring: { to?: string } }

/** A mail is a stranger's HTML: no scripts, no forms, no way into these pages; links may open a tab. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; default-src 'none'; " +
  "style-src 'unsafe-inline'; img-src http: https: data:"

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/

const noMail = { error: 'There is no such message' }

export const mailRoutes = (mailbox: Mailbox, site: { publicUrl: string }) => async (app: FastifyInstance) => {
  app.get<WithRecipient>('/mail/messages', async (request) =>
    (await mailbox.newestFirst(request.query.to)).map(presentMailSummary),
  )

  app.get<WithId>('/mail/messages/:id', async (request, reply) => {
    const mail = await mailbox.find(request.params.id)
    return mail ? presentMail(mail, site.publicUrl) : reply.code(404).send(noMail)
  })

  app.get<WithId>('/mail/messages/:id/html', async (request, reply) => {
    const mail = await mailbox.find(request.params.id)
    if (!mail?.html) return reply.code(404).send(noMail)
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': MAIL_POLICY })
    return reply.header('referrer-policy', 'no-referrer').send(mailDocument(mail))
  })

  app.get<WithAttachment>('/mail/messages/:id/attachments/:index', async (request, reply) => {
    const mail = await mailbox.find(request.params.id)
    const attachment = mail?.attachments[Number(request.params.index)]
    if (!attachment) return reply.code(404).send({ error: 'There is no such attachment' })
    const { contentType, filename, base64 } = attachment
    const name = encodeURIComponent(filename).replace(
      /['()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16)}`,
    )
    return reply
      .header('content-type', MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream')
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
      .header('content-security-policy', 'sandbox')
      .header('x-content-type-options', 'nosniff')
      .send(Buffer.from(base64, 'base64'))
  })

  app.get<WithRecipient>('/mail', async (request, reply) => {
    const { to } = request.query
    return sendPage(reply, inboxPage(await mailbox.newestFirst(to, SHOWN), to))
  })

  app.get<WithId>('/mail/:id', async (request, reply) => {
    const mail = await mailbox.find(request.params.id)
    if (!mail)
      return sendPage(reply, notFoundPage('There is no such message. The inbox keeps the newest 1,000.'), 404)
    return sendPage(reply, messagePage(mail))
  })
}
