import { Transform } from 'node:stream'
import { createMailTransport } from '#platform/mail/nodemailer.ts'
import type { Settings } from '#platform/settings.ts'

export type Attachment = { filename: string; content: string | Buffer; contentType: string }

export type Mail = {
  to: string
  /** Where an answer goes, when not to us. */
  replyTo?: string
  subject: string
  text: string
  html: string
  attachments?: Attachment[]
  /** The key of the mail that began the conversation, to which this one belongs. */
  threadKey?: string
  /** A person's own words, to which an absence note may be the answer. */
  isByPerson?: boolean
  /** Makes the Message-ID: a mail that a crash made us send twice carries the same one twice. */
  key: string
}

export type Mailer = {
  send: (mail: Mail) => Promise<void>
  /** Whether the server takes mails of ours at all. */
  isThere: () => Promise<boolean>
  close: () => void
}

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl'>

type SmtpFault = { code?: string; command?: string; responseCode?: number }

/** What comes after the log-in is said of one mail; unless the server says that it closes (421). */
const isAboutMail = ({ command, responseCode }: SmtpFault): boolean =>
  responseCode !== undefined && responseCode !== 421 && /^(?:MAIL FROM|RCPT TO|DATA)$/.test(command ?? '')

const NOT_THERE = 'The mail server was not there:'

/** Those of jobs that a mail server's return ends, as PostgreSQL matches them. */
export const NOT_THERE_ERRORS = `^${NOT_THERE}`

/** By its codes alone: the server's own words name the address, and errors are written to the log and the queue. */
const whyNotTaken = (fault: SmtpFault): string => {
  const { code, command, responseCode } = fault
  const what = isAboutMail(fault) ? 'The mail was not taken:' : NOT_THERE
  return [what, code, command, responseCode].filter(Boolean).join(' ')
}

/**
 * `isRefused`: the server does not take mails for this address, which says nothing of others. `isAway`: it takes none of
 * anyone's.
 */
export class MailNotTaken extends Error {
  override name = 'MailNotTaken'
  readonly isRefused: boolean
  readonly isAway: boolean
  constructor(error: unknown) {
    const fault = error as SmtpFault
    super(whyNotTaken(fault))
    this.isRefused = fault.command === 'RCPT TO' && (fault.responseCode ?? 0) >= 500
    this.isAway = !isAboutMail(fault)
  }
}

/**
 * Nodemailer writes each part, header and boundary by itself. Sent so, a mail takes a system call, a packet and, over TLS, a
 * record for each of them.
 */
const inOnePiece = (): Transform => {
  const pieces: Buffer[] = []
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      pieces.push(piece)
      done()
    },
    flush: (done) => done(null, Buffer.concat(pieces)),
  })
}

const encoded = new WeakMap<Buffer, Buffer>()

/**
 * What Nodemailer would write of a file, which would make strings of its lines by streams: that would take longer than all
 * else of a mail. What is written of its bytes is kept with them: other mails may carry the same.
 */
const withPart = (attachment: Attachment) => {
  const { filename, contentType, content } = attachment
  if (!Buffer.isBuffer(content) || !/^[\w.-]+$/.test(filename)) return attachment
  const head = [
    `Content-Type: ${contentType}; name=${filename}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename=${filename}`,
  ]
  const lines = () => Buffer.from(content.toString('base64').replace(/.{76}/g, '$&\r\n'), 'latin1')
  const body = encoded.get(content) ?? lines()
  encoded.set(content, body)
  return { ...attachment, raw: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]) }
}

/** Throws when the server did not take the mail. */
export const createMailer = ({ smtpUrl, mailFrom, publicUrl }: MailSettings): Mailer => {
  const transport = createMailTransport(smtpUrl, { pool: true })
  transport.use('stream', ({ message }, done) => {
    message.transform(inOnePiece)
    done()
  })
  const host = new URL(publicUrl).hostname
  return {
    send: async ({ key, threadKey, isByPerson, ...mail }) => {
      const idOf = (name: string) => `<${name}@${host}>`
      const message = {
        ...mail,
        ...(mail.attachments ? { attachments: mail.attachments.map(withPart) } : {}),
        from: mailFrom,
        messageId: idOf(key),
        ...(threadKey ? { inReplyTo: idOf(threadKey), references: idOf(threadKey) } : {}),
        ...(isByPerson ? {} : { headers: { 'Auto-Submitted': 'auto-generated' } }),
      }
      await transport.sendMail(message).catch((error: unknown) => {
        throw new MailNotTaken(error)
      })
    },
    isThere: () =>
      transport.verify().then(
        () => true,
        () => false,
      ),
    close: () => transport.close(),
  }
}
