import { createRequire } from 'node:module'
import type { Transporter } from 'nodemailer'
import { mailApi } from '#platform/mail/mail-api.ts'
import { isMailApi } from '#platform/settings/encryption.ts'

/** By `require`: what an `import` brings imports `node:http`, which costs what @hedgerow/io/node-http says. */
const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer')

const TIMEOUT_MS = 20_000

/** Where SMTP_URL leads, by SMTP or by a provider's API. */
export const createMailTransport = (smtpUrl: string, { pool = false } = {}): Transporter => {
  const options = {
    // As many as the jobs that mail at once (jobs/worker.ts): none waits for another's connection.
    ...(pool ? { pool: true, maxConnections: 4 } : {}),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // What a mail shows is what we put into it: no file or address is ever fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const address = new URL(smtpUrl)
  return isMailApi(address)
    ? createTransport(mailApi(address))
    : createTransport({ url: smtpUrl, ...options })
}
