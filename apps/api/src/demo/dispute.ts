import { DAY_MS } from '@hedgerow/domain/dates'
import { chanceOf } from '#demo/chance.ts'
import type { BookedChargeback } from '#demo/gateway-books.ts'
import { daysAfter } from '#demo/rhythm.ts'
import { underRecord } from '#demo/staff.ts'
import type { World } from '#demo/world.ts'
import { answerDispute } from '#money/disputes/disputes.service.ts'
import { fileChargeback } from '#money/disputes/file-chargeback.ts'
import { issueCreditNotesOf } from '#sales/invoices/issue-credit-notes.ts'

/** What the gateway takes for each, in minor units, as in the sandbox. */
const FEE_MINOR = 2_000
/** Codes of the card networks: fraud, and goods that did not come. */
const REASONS = { visa: ['10.4', '13.1'], mastercard: ['4837', '4853'] } as const

const STATUSES = { new: 'open', challenged: 'open', won: 'won', lost: 'lost' } as const

type Disputed = { paymentId: string; ordinal: number }

/** The gateway's books say it, and the shop hears of it. */
const tell = async (world: World, paymentId: string, chargeback: BookedChargeback): Promise<void> => {
  const { currency, description } = world.gateway.find(paymentId)
  const { id, status, amount, reasonCode, createdAt } = chargeback
  chargeback.updatedAt = Date.now()
  if (status === 'won' || status === 'lost') chargeback.completedAt = Date.now()
  if (status === 'won')
    world.gateway.book({
      type: 'representment',
      amount,
      currency,
      fee: 0,
      paymentId,
      description,
      createdAt: Date.now(),
    })
  await fileChargeback(world.deps, {
    gateId: String(id),
    paymentId,
    amountMinor: amount,
    currency,
    reason: reasonCode,
    gateStatus: status,
    status: STATUSES[status],
    openedAt: new Date(createdAt),
  })
}

const open = async (world: World, { paymentId, ordinal }: Disputed): Promise<void> => {
  const chance = chanceOf(world.seed, `dispute ${ordinal}`)
  const payment = world.gateway.find(paymentId)
  const { remaining: amount, currency, description } = payment
  if (amount === 0) return
  const now = Date.now()
  const booked = {
    type: 'chargeback',
    amount,
    currency,
    fee: FEE_MINOR,
    paymentId,
    description,
    createdAt: now,
  } as const
  const reasonCode = chance.pick(payment.account?.type === 'visa' ? REASONS.visa : REASONS.mastercard)
  const id = world.gateway.book(booked)
  const chargeback: BookedChargeback = {
    ...{ id, stage: 'chargeback', status: 'new', reasonCode, amount },
    ...{ createdAt: now, updatedAt: now },
  }
  payment.chargebacks = [chargeback]
  await tell(world, paymentId, chargeback)
  world.at(daysAfter(chance, now, chance.between(2, 4)), async (later) => {
    const { deps, staff } = later
    const dispute = await deps.db
      .selectFrom('disputes')
      .select('id')
      .where('payment_id', '=', paymentId)
      .executeTakeFirstOrThrow()
    const said = {
      who: staff.finance,
      command: 'dispute',
      subject: dispute.id,
      arguments: { word: 'answered' },
    }
    await underRecord(deps, said, () => answerDispute(deps, dispute.id))
    chargeback.status = 'challenged'
    await tell(later, paymentId, chargeback)
  })
  world.at(now + chance.between(14, 24) * DAY_MS, async (later) => {
    chargeback.status = chance.is(0.5) ? 'won' : 'lost'
    await tell(later, paymentId, chargeback)
    await issueCreditNotesOf(later.deps, paymentId)
  })
}

/** The card holder's bank takes the money back, days after the purchase. */
export const disputeSale = (world: World, sale: Disputed): void => {
  const chance = chanceOf(world.seed, `disputed ${sale.ordinal}`)
  world.at(daysAfter(chance, Date.now(), chance.between(9, 26)), (later) => open(later, sale))
}

/** The newest card payment of some days ago: its dispute waits for an answer when someone looks. */
export const disputeLast = async (world: World): Promise<void> => {
  const row = await world.deps.db
    .selectFrom('payments')
    .select('id')
    .where('status', '=', 'Success')
    .where('method', '=', 'card')
    .where('refunded_minor', '=', 0)
    .where('disputed_minor', '=', 0)
    .where('ended_at', '<', new Date(Date.now() - 8 * DAY_MS))
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row) await open(world, { paymentId: row.id, ordinal: 0 })
}
