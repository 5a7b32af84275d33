import { randomInt } from 'node:crypto'
import type { Job } from 'graphile-worker'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import { MailHeld } from '#platform/mail/bounded-mailer.ts'
import { addJob, type JobName, type JobPayloads } from '#platform/queue/add-job.ts'
import { HELD_KEY } from '#platform/queue/held-mails.ts'
import { boundOf, ceilingOf } from '#platform/queue/mail-bounds.ts'

/** What is held leaves at some time within so long of there being room: not all at once, before whatever comes then. */
const SPREAD_S = 600

/**
 * Sends a mail, or, above the ceiling of its kind, queues it for later. To the operator one mail for all of them is queued
 * instead, for the end of the first ceiling that was reached: what they are about waits in the console.
 */
export const orLater = async <N extends JobName>(
  { db, rateCounter }: ShopDependencies,
  name: N,
  payload: JobPayloads[N],
  { id, key }: Pick<Job, 'id' | 'key'>,
  send: () => Promise<void>,
): Promise<void> => {
  const ceiling = ceilingOf(name)
  try {
    const wait = ceiling && rateCounter.waitFor(ceiling)
    if (wait !== undefined) throw new MailHeld(wait)
    await send()
  } catch (error) {
    if (!(error instanceof MailHeld)) throw error
    const inSeconds = error.seconds
    if (boundOf(name)?.to === 'operator')
      return addJob(db, 'mail-operator-digest', {}, { key: 'operator-digest', inSeconds, keepsTime: true })
    const heldKey = key?.startsWith(HELD_KEY) ? key : HELD_KEY + (key ?? id)
    await addJob(db, name, payload, { key: heldKey, inSeconds: inSeconds + randomInt(SPREAD_S) })
  }
}
