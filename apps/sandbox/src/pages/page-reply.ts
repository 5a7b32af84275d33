import type { FastifyReply } from 'fastify'
import type { Html } from '#pages/html.ts'

/** No scripts anywhere; images may be attachments; forms may go wherever a bank's customer has to return to. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'"

export const sendPage = (reply: FastifyReply, page: Html, status = 200): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(`<!doctype html>\n${page.text}`)
