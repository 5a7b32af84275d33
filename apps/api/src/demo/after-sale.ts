import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import { chanceOf } from '#demo/chance.ts'
import { disputeSale } from '#demo/dispute.ts'
import { giveBack, payBack } from '#demo/give-back.ts'
import { daysAfter } from '#demo/rhythm.ts'
import { underRecord } from '#demo/staff.ts'
import { begin } from '#demo/talk.ts'
import { REFUNDS, type Talk } from '#demo/words/support.ts'
import type { Customer, World } from '#demo/world.ts'
import { cancelForCustomer } from '#money/cancellations/cancellations.service.ts'

export type Sale = {
  customer: Customer
  paymentId: string
  method: PaymentMethod
  /** Which one it is of all sales, from 1: what becomes of it hangs on that, so that a small shop has some of each too. */
  ordinal: number
  /** Which one of those that made connections and extended none, from 1; 0: it is none of them. */
  first: number
  /** 0: it never ends. */
  days: number
}

const HOUR_MS = 3_600_000

/** One in so many, beginning with which. */
type Turn = readonly [every: number, from: number]

const TURNS = {
  refund: [41, 7],
  part: [83, 11],
  cancel: [67, 23],
  dispute: [170, 17],
} as const satisfies Record<string, Turn>

/** What is used up by then cannot be cancelled. */
const LAST_DAY_TO_CANCEL = 12

const isTurn = ([every, from]: Turn, ordinal: number) => ordinal % every === from % every

/** One in so many refunds is asked for in words that are kept; no two in the same. */
const TALKED_OF = 9

const talkOf = ({ first }: Sale): Talk | undefined => {
  const refund = Math.floor(first / TURNS.refund[0])
  return refund % TALKED_OF === 0 ? REFUNDS[refund / TALKED_OF] : undefined
}

const refundLater = (world: World, sale: Sale, part: number | undefined): void => {
  const chance = chanceOf(world.seed, `refund ${sale.ordinal}`)
  const when = daysAfter(chance, Date.now(), chance.between(1, 9))
  const talk = part === undefined ? talkOf(sale) : undefined
  if (talk)
    world.at(when - 2 * HOUR_MS, (now) =>
      begin(now, { question: `refund ${sale.ordinal}`, talk, customer: sale.customer }),
    )
  world.at(when, async (now) => {
    const who = chance.pick(now.staff.support)
    await giveBack(now, sale.paymentId, who, part)
  })
}

const cancelLater = (world: World, sale: Sale): void => {
  const chance = chanceOf(world.seed, `cancel ${sale.ordinal}`)
  world.at(daysAfter(chance, Date.now(), chance.between(1, 11)), async (now) => {
    const who = chance.pick(now.staff.support)
    const said = { who, command: 'payment cancel', subject: sale.paymentId }
    await underRecord(now.deps, said, () => cancelForCustomer(now.deps, { paymentId: sale.paymentId }))
    await payBack(now, sale.paymentId)
  })
}

/** What becomes of a purchase besides being used. False: it ends before its time. */
export const afterSale = (world: World, sale: Sale): boolean => {
  const { ordinal, method, first } = sale
  if (first > 0 && isTurn(TURNS.refund, first)) {
    refundLater(world, sale, undefined)
    return false
  }
  if (first > 0 && sale.days > LAST_DAY_TO_CANCEL && isTurn(TURNS.cancel, first)) {
    cancelLater(world, sale)
    return false
  }
  if (isTurn(TURNS.part, ordinal)) refundLater(world, sale, 0.4)
  else if (method === 'card' && isTurn(TURNS.dispute, ordinal)) disputeSale(world, sale)
  return true
}
