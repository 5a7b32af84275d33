import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Html } from '#pages/html.ts'

/** No scripts; images may be attachments; forms may go wherever a bank's customer has to return to. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'"

/** The one script there is: it sends the only form of a hidden page. */
export const SEND_FORM = 'document.forms[0].submit()'

const SCRIPT_POLICY = `; script-src 'sha256-${hash('sha256', SEND_FORM, 'base64')}'`

/** For a hidden frame, where no button can be pressed. */
export const sendSelfPostingPage = (reply: FastifyReply, page: Html): FastifyReply =>
  sendPage(reply.header('content-security-policy', POLICY + SCRIPT_POLICY), page)

export const sendPage = (reply: FastifyReply, page: Html, status = 200): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': reply.getHeader('content-security-policy') ?? POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(`<!doctype html>\n${page.text}`)
