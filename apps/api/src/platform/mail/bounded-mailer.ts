import type { RateCount, RateCounter } from '#platform/http/limits/rate-counter.ts'
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

type Room = { rateCounter: RateCounter; meters: Pick<Meters, 'mailed'> }

/**
 * Takes room for a mail under the ceiling of a job; one that changes something before it sends asks for it first, so that a
 * mail that is held leaves everything as it is. Returns what it counted for. Throws `MailHeld`.
 */
export const takeRoom = async (
  { rateCounter, meters }: Room,
  job: string,
): Promise<RateCount | undefined> => {
  const ceiling = ceilingOf(job)
  const wait = ceiling && (await rateCounter.count(ceiling))
  if (wait === undefined) return ceiling
  meters.mailed(workContext()?.job ?? 'other', 'held')
  throw new MailHeld(wait)
}

/** Throws `MailHeld` above the ceiling of the job that sends. What the mail server did not take does not count. */
export const boundedMailer = (mailer: Mailer, room: Room): Mailer => ({
  ...mailer,
  send: async (mail) => {
    const ceiling = await takeRoom(room, workContext()?.job ?? 'other')
    await mailer.send(mail).catch(async (error: unknown) => {
      if (ceiling) await room.rateCounter.giveBack(ceiling)
      throw error
    })
  },
})
