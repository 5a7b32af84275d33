import { invoiceNumber } from '@hedgerow/domain/invoices'
import { type RefundAnswer, requestRefund } from '#money/refunds/refunds.service.ts'
import type { Db } from '#platform/database/client.ts'
import { readIssuer } from '#platform/settings.ts'
import { correctInvoice } from '#sales/invoices/correct-invoice.ts'
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

/** Undefined: it has none in all that time, as a payment that bought nothing. */
const waitForInvoice = async (db: Db, paymentId: string): Promise<string | undefined> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const found = await db
      .selectFrom('payments')
      .innerJoin('live_invoices', 'live_invoices.order_id', 'payments.order_id')
      .select(['live_invoices.year', 'live_invoices.number'])
      .where('payments.id', '=', paymentId)
      .where('payments.is_invoiced', '=', true)
      .executeTakeFirst()
      .catch(() => undefined)
    if (found) return invoiceNumber(found.year, found.number)
    await sleep(PAUSE_MS)
  }
  return undefined
}

const SETTINGS = readIssuer({})

/** Insists as with a refund. */
const correct = async (db: Db, history: History, name: string, buyer: string): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await correctInvoice({ db, settings: SETTINGS }, name, { buyer: { name: buyer } }).catch(
      () => undefined,
    )
    if (answer) {
      const what = answer.kind === 'refused' ? `refused, ${answer.why}` : answer.kind
      return count(history, `corrections asked for: ${what}`)
    }
    await sleep(PAUSE_MS)
  }
  count(history, 'corrections asked for: in vain')
}

/** Puts another name on the invoice so often, each asked for twice: the second finds another invoice in its place. */
export const correctAsPlanned = async (
  db: Db,
  history: History,
  paymentId: string,
  times: number,
): Promise<void> => {
  for (let time = 1; time <= times; time++) {
    const name = await waitForInvoice(db, paymentId)
    if (!name) return
    const buyer = `Buyer ${time} Ltd`
    await Promise.all([correct(db, history, name, buyer), correct(db, history, name, buyer)])
  }
}
