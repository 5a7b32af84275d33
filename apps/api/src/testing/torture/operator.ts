import { type RefundAnswer, requestRefund } from '#money/refunds/refunds.service.ts'
import type { Db } from '#platform/database/client.ts'
import { count, type History } from '#testing/torture/history.ts'
import { PART_MINOR, type PlannedCheckout } from '#testing/torture/plan.ts'
import { sleep } from '#testing/torture/shop-door.ts'

const TRIES = 40
const PAUSE_MS = 500

type Wish = { paymentId: string; amountMinor?: number }

const isUnderWay = (answer: RefundAnswer) => answer.kind === 'refused' && answer.why.code === 'under-way'

/** Asks as `refund` does, and again when the database went away meanwhile: it is not known then what came of it. */
const refund = async (db: Db, history: History, wish: Wish): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await requestRefund({ db }, wish).catch(() => undefined)
    if (answer && !isUnderWay(answer)) {
      count(history, `refunds asked for: ${answer.kind}`)
      return
    }
    await sleep(PAUSE_MS)
  }
  count(history, 'refunds asked for: in vain')
}

/** An operator is later than the round that credits partners: what was earned has to be taken back. */
const waitForCredit = async (db: Db, paymentId: string): Promise<void> => {
  const isCredited = () =>
    db
      .selectFrom('payments')
      .select('id')
      .where('id', '=', paymentId)
      .where('is_credited', '=', true)
      .executeTakeFirst()
      .catch(() => undefined)
  for (let tries = 0; tries < TRIES && !(await isCredited()); tries++) await sleep(PAUSE_MS)
}

/** Gives back what was planned, each sum asked for twice: the second time it has to be the same refund. */
export const giveBack = async (
  db: Db,
  history: History,
  paymentId: string,
  what: PlannedCheckout['refund'],
): Promise<void> => {
  if (what === 'none') return
  if (what !== 'part and rest') await waitForCredit(db, paymentId)
  const first = what === 'whole' ? { paymentId } : { paymentId, amountMinor: PART_MINOR }
  await Promise.all([refund(db, history, first), refund(db, history, first)])
  if (what === 'part and rest') await refund(db, history, { paymentId })
}
