import type { RateCounter } from '#platform/http/limits/rate-counter.ts'
import type { Meters } from '#platform/instrumentation/meters.ts'
import { workContext } from '#platform/instrumentation/work-context.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { ceilingOf } from '#platform/queue/mail-bounds.ts'

/** There were so many mails of this kind that this one has to wait. */
export class MailHeld extends Error {
  override name = 'MailHeld'
  readonly seconds: number
  constructor(seconds: number) {
    super('Too many mails of this kind were sent lately')
    this.seconds = seconds
  }
}

/** Throws `MailHeld` above the ceiling of the job that sends. What the mail server did not take does not count. */
export const boundedMailer = (
  mailer: Mailer,
  rateCounter: RateCounter,
  meters: Pick<Meters, 'mailed'>,
): Mailer => ({
  ...mailer,
  send: async (mail) => {
    const job = workContext()?.job ?? 'other'
    const ceiling = ceilingOf(job)
    if (!ceiling) return mailer.send(mail)
    const wait = await rateCounter.count(ceiling)
    if (wait !== undefined) {
      meters.mailed(job, 'held')
      throw new MailHeld(wait)
    }
    await mailer.send(mail).catch(async (error: unknown) => {
      await rateCounter.giveBack(ceiling)
      throw error
    })
  },
})
