import { createTransport } from 'nodemailer'
import type { Settings } from '#settings.ts'

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

export type Mailer = { send: (mail: Mail) => Promise<void>; close: () => void }

const TIMEOUT_MS = 20_000

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl'>

/** By its codes alone: the server's own words name the address, and errors are written to the log and the queue. */
const whyNotTaken = (error: unknown): string => {
  const { code, command, responseCode } = error as Record<string, string | number | undefined>
  return ['The mail was not taken:', code, command, responseCode].filter(Boolean).join(' ')
}

/** `isRefused`: the server does not take mails for this address, which says nothing of others. */
export class MailNotTaken extends Error {
  override name = 'MailNotTaken'
  readonly isRefused: boolean
  constructor(error: unknown) {
    super(whyNotTaken(error))
    const { command, responseCode } = error as { command?: string; responseCode?: number }
    this.isRefused = command === 'RCPT TO' && (responseCode ?? 0) >= 500
  }
}

/** The only place that speaks SMTP. Throws when the server did not take the mail. */
export const createMailer = ({ smtpUrl, mailFrom, publicUrl }: MailSettings): Mailer => {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    // As many as the jobs that mail at once (jobs/worker.ts): none waits for another's connection.
    maxConnections: 4,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // What a mail shows is what we put into it: no file or address is ever fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = new URL(publicUrl).hostname
  return {
    send: async ({ key, threadKey, isByPerson, ...mail }) => {
      const idOf = (name: string) => `<${name}@${host}>`
      const message = {
        ...mail,
        from: mailFrom,
        messageId: idOf(key),
        ...(threadKey ? { inReplyTo: idOf(threadKey), references: idOf(threadKey) } : {}),
        ...(isByPerson ? {} : { headers: { 'Auto-Submitted': 'auto-generated' } }),
      }
      await transport.sendMail(message).catch((error: unknown) => {
        throw new MailNotTaken(error)
      })
    },
    close: () => transport.close(),
  }
}
