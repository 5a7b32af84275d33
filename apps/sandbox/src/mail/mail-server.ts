import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Envelope } from '#mail/mail.ts'
import type { Mailbox } from '#mail/mailbox.ts'

/** By `require`: what an `import` brings imports `node:http`, which costs what @hedgerow/io/node-http says. */
const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as typeof import('smtp-server')

const MOST_BYTES = 5 * 1_024 * 1_024
/** How long a client may take to say goodbye when the sandbox stops. */
const GOODBYE_MS = 200

const envelopeOf = ({ envelope }: SMTPServerSession): Envelope => ({
  from: envelope.mailFrom ? envelope.mailFrom.address : '',
  to: envelope.rcptTo.map((recipient) => recipient.address),
})

/** Reads on past the limit, because SMTP can refuse only after the whole message, but keeps nothing of that. */
const readMessage = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  if (!stream.sizeExceeded) return Buffer.concat(chunks)
  throw Object.assign(new Error('Message is larger than 5 MB'), { responseCode: 552 })
}

export type MailServer = { port: number; close(): Promise<void> }

export const startMailServer = async (host: string, port: number, mailbox: Mailbox): Promise<MailServer> => {
  const server = new SMTPServer({
    name: 'sandbox.local',
    banner: 'Sandbox mail: every message stays here',
    size: MOST_BYTES,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: GOODBYE_MS,
    onData: (stream, session, callback) => {
      readMessage(stream)
        .then((raw) => mailbox.receive(raw, envelopeOf(session)))
        .then(() => callback(), callback)
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  server.removeAllListeners('error')
  // A client that hangs up in the middle is its own affair.
  server.on('error', () => {})
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
