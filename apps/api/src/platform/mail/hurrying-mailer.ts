import { type Mailer, MailNotTaken } from '#platform/mail/mailer.ts'
import type { Comeback } from '#platform/queue/retry-on-recovery.ts'

/** Tells when the mail server goes, and when it is back: then the mails that wait for it leave at once. */
export const hurryingMailer = (mailer: Mailer, comeback: Pick<Comeback, 'failed' | 'answered'>): Mailer => ({
  ...mailer,
  send: async (mail) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      if (error instanceof MailNotTaken && error.isAway) comeback.failed()
      throw error
    }
    comeback.answered()
  },
})
