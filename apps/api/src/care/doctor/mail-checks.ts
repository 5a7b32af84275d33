import type { Check } from '#care/doctor/check.ts'
import { ok, problem } from '#platform/doctor/finding.ts'
import { createMailer } from '#platform/mail/mailer.ts'
import { createTransport } from '#platform/mail/nodemailer.ts'

const WITHIN_MS = 20_000

const whyNot = (error: unknown): string => {
  const { code, command, responseCode } = error as Record<string, unknown>
  return [code, command, responseCode].filter(Boolean).join(' ') || 'an error'
}

export const mailChecks: readonly Check[] = [
  {
    name: 'mail',
    look: async ({ settings, mailTo }) => {
      const transport = createTransport({
        url: settings.smtpUrl,
        connectionTimeout: WITHIN_MS,
        greetingTimeout: WITHIN_MS,
        socketTimeout: WITHIN_MS,
      })
      const { hostname } = new URL(settings.smtpUrl)
      try {
        await transport.verify()
      } catch (error) {
        return problem(
          `${hostname} does not take mails from here: ${whyNot(error)}`,
          'See SMTP_URL, and whether its port is open from this machine.',
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
