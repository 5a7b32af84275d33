import type { MailOutcome, Meters } from '#platform/instrumentation/meters.ts'
import { workContext } from '#platform/instrumentation/work-context.ts'
import { type Mailer, MailNotTaken } from '#platform/mail/mailer.ts'

/** Counts what the mail server took and did not, by the job that sends it. */
export const countedMailer = (mailer: Mailer, meters: Pick<Meters, 'mailed'>): Mailer => {
  const tell = (outcome: MailOutcome) => meters.mailed(workContext()?.job ?? 'other', outcome)
  return {
    ...mailer,
    send: async (mail) => {
      try {
        await mailer.send(mail)
      } catch (error) {
        tell(error instanceof MailNotTaken && error.isRefused ? 'refused' : 'failed')
        throw error
      }
      tell('sent')
    },
  }
}
