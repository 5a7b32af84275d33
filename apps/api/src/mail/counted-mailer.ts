import { type Meters, timed } from '#metrics/meters.ts'
import { workContext } from '../work-context.ts'
import type { Mailer } from './mailer.ts'

/** Counts what the mail server took and did not, by the job that sends it. */
export const countedMailer = (mailer: Mailer, meters: Pick<Meters, 'mailed'>): Mailer => ({
  ...mailer,
  send: (mail) =>
    timed(
      () => mailer.send(mail).then(() => true),
      (_, isTaken) => meters.mailed(workContext()?.job ?? 'other', isTaken === true),
    ).then(() => undefined),
})
