import { Readable } from 'node:stream'
import type { Check } from '#care/doctor/check.ts'
import { type Finding, ok, problem } from '#platform/doctor/finding.ts'
import { createMailer } from '#platform/mail/mailer.ts'
import { createMailTransport } from '#platform/mail/nodemailer.ts'
import { isMailApi } from '#platform/settings/encryption.ts'
import type { Settings } from '#platform/settings.ts'

/** Of a name and <an address>. */
export const addressOf = (sender: string): string => /<([^>]+)>$/.exec(sender)?.[1] ?? sender

const whyNot = (error: unknown): string => {
  const { code, command, responseCode } = error as Record<string, unknown>
  return [code, command, responseCode].filter(Boolean).join(' ') || 'an error'
}

const NEVER_SENT = new Error('the sender was taken')

/** Breaks off before anything of a mail was said: a server takes what has no end for none. */
const trySender = async ({ smtpUrl, mailFrom, operatorEmail }: Settings): Promise<Finding | []> => {
  // An API has no mail that can be broken off; it says of the sender when the first one is sent.
  if (isMailApi(new URL(smtpUrl))) return []
  const transport = createMailTransport(smtpUrl)
  const raw = new Readable({ read: () => raw.destroy(NEVER_SENT) })
  try {
    await transport.sendMail({ envelope: { from: addressOf(mailFrom), to: operatorEmail }, raw })
  } catch (error) {
    const { command, response } = error as { command?: string; response?: string }
    if (command === 'MAIL FROM')
      return problem(
        `it refuses the sender ${mailFrom}: ${response ?? whyNot(error)}`,
        'MAIL_FROM has to be an address that this log-in may send from.',
      )
    if (command === 'RCPT TO')
      return problem(
        `it refuses mails to ${operatorEmail}: ${response ?? whyNot(error)}`,
        'See OPERATOR_EMAIL, and whether the log-in may send to other domains.',
      )
    // That it does not answer is said by the other check.
    if (!(error as Error).message.includes(NEVER_SENT.message)) return []
  } finally {
    transport.close()
  }
  return ok(`it takes ${addressOf(mailFrom)} as the sender`)
}

export const mailChecks: readonly Check[] = [
  // Not watched: each look is a mail that is broken off.
  { name: 'mail', look: ({ settings }) => trySender(settings) },
  {
    name: 'mail',
    isWatched: true,
    look: async ({ settings, mailTo }) => {
      const transport = createMailTransport(settings.smtpUrl)
      const { hostname } = new URL(settings.smtpUrl)
      try {
        await transport.verify()
      } catch (error) {
        return problem(
          `${hostname} does not take mails from here: ${whyNot(error)}`,
          (error as { code?: unknown }).code === 'EDNS'
            ? 'Its name has no address here: see "names".'
            : 'See SMTP_URL, and whether its port is open from this machine.',
        )
      } finally {
        transport.close()
      }
      const answers = ok(`${hostname} answers, and takes the log-in`)
      if (mailTo === undefined) return answers
      const mailer = createMailer(settings)
      try {
        const text = 'This mail shows that the shop can send. Nothing is to be done.'
        const subject = `${settings.brand.name}: a mail to try the mail server`
        await mailer.send({ to: mailTo, subject, text, html: `<p>${text}</p>`, key: `doctor-${Date.now()}` })
        return [answers, ok(`it took a mail for ${mailTo}: see whether it arrives, and not as spam`)]
      } catch (error) {
        return [
          answers,
          problem((error as Error).message, 'See what the mail server says of the sender, MAIL_FROM.'),
        ]
      } finally {
        mailer.close()
      }
    },
  },
]
