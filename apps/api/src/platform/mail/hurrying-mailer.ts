import { type Mailer, MailNotTaken } from '#platform/mail/mailer.ts'
import type { RetryOnRecovery } from '#platform/queue/retry-on-recovery.ts'

/** Tells when the mail server goes, and when it is back: then the mails that wait for it leave at once. */
export const hurryingMailer = (
  mailer: Mailer,
  recovery: Pick<RetryOnRecovery, 'failed' | 'answered'>,
): Mailer => ({
  ...mailer,
  send: async (mail) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      if (error instanceof MailNotTaken && error.isAway) recovery.failed()
      throw error
    }
    recovery.answered()
  },
})
