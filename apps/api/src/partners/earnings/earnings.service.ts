import { dueBackMinor } from '@hedgerow/domain/ledger'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { levelFor, shareMinor } from '@hedgerow/domain/partnership'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import {
  addTransaction,
  claimDueToMature,
  claimUncredited,
  endHolds,
  findEarning,
  forgetErasedCards,
  hasPartnersCard,
  insertEarning,
  listDueToMature,
  listOwing,
  listUncredited,
  noteDueBack,
  noteOwnCard,
  noteReversed,
  noteUncredited,
  type Place,
  settledBefore,
  takeTransaction,
  waitBriefly,
} from '#partners/earnings/earnings.queries.ts'
import { availableOf, insertTransfer, listBalances } from '#partners/ledger/ledger.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import { inSlices, LONG_MS } from '#platform/database/slices.ts'
import type { With } from '#platform/dependencies.ts'
import { lockOrder } from '#sales/orders/orders.service.ts'

type Deps = With<'db' | 'settings'>

const BATCH = 200

/** What a run could not do now, and why. */
export type Undone = { paymentId: string; error: unknown }

/** Goes once through all that is due, page by page: what fails is returned, and holds up nothing else. */
const throughAll = async <T extends Place>(
  list: (rows: number, after: Place | undefined) => Promise<T[]>,
  see: (one: T) => Promise<void>,
): Promise<Undone[]> => {
  const undone: Undone[] = []
  let last: T | undefined
  await inSlices(
    async (rows) => {
      const page = await list(rows, last)
      for (const one of page) await see(one).catch((error) => undone.push({ paymentId: one.id, error }))
      last = page.at(-1)
      return page.length
    },
    { rows: BATCH, ms: LONG_MS },
  )
  return undone
}

/**
 * Credits a payment to its partner, once, at the level that the partner had when it was completed. The order is locked
 * first, as wherever both are locked: an erasure of the buyer holds the orders, and then wants the payments.
 */
const credit = ({ db, settings }: Deps, paymentId: string, orderId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await waitBriefly(trx)
    await lockOrder(trx, orderId)
    const payment = await claimUncredited(trx, paymentId)
    // All of it went back before it was credited: that is no transaction.
    if (!payment?.partner_id || payment.refunded_minor === payment.charged_minor) return
    if (await noteUncredited(trx, paymentId, settings.partnerMinimumSpend)) return
    const partner = await lockPartner(trx, payment.partner_id)
    if (!partner) return
    const { currency } = payment
    const partner_id = partner.customer_id
    const endedAt = payment.ended_at as Date
    const { level, percentage } = levelFor(await settledBefore(trx, partner_id, endedAt))
    const amount_minor = shareMinor(payment.amount_minor, percentage)
    const isByPromocode = payment.promocode !== null
    const earning = {
      payment_id: paymentId,
      partner_id,
      source: isByPromocode ? 'promocode' : 'referral',
      level,
      percentage,
      amount_minor,
      currency,
    } as const
    await insertEarning(trx, earning, endedAt, settings.partnerHoldDays)
    await addTransaction(trx, partner_id, isByPromocode)
    await insertTransfer(trx, {
      partner_id,
      currency,
      kind: 'earned',
      from_account: 'shop',
      to_account: 'pending',
      amount_minor,
      payment_id: paymentId,
    })
    await reverseEarning(trx, paymentId)
  })

/** Credits every payment that has succeeded for a partner, in the order in which they were paid. */
export const creditPartners = (deps: Deps): Promise<Undone[]> =>
  throughAll(
    (rows, after) => listUncredited(deps.db, rows, after),
    ({ id, order_id }) => credit(deps, id, order_id),
  )

/**
 * Takes what refunds want back of what is available, the oldest debt first, and no more than is there: what was asked for
 * or paid out stays so, and the rest is taken when money becomes available again. So no money is both paid and reversed.
 */
export const collectReversals = async (
  trx: Trx,
  partnerId: string,
  currency: CurrencyCode,
): Promise<void> => {
  const owing = await listOwing(trx, partnerId, currency)
  if (owing.length === 0) return
  let available = await availableOf(trx, partnerId, currency)
  for (const { payment_id, owing_minor } of owing) {
    const taken = Math.min(available, owing_minor)
    if (taken === 0) return
    available -= taken
    await noteReversed(trx, payment_id, taken)
    await insertTransfer(trx, {
      partner_id: partnerId,
      currency,
      kind: 'reversed',
      from_account: 'available',
      to_account: 'shop',
      amount_minor: taken,
      payment_id,
    })
  }
}

/** A payment was given back, in whole or in part: its partner's earning follows, in the same transaction. */
export const reverseEarning = async (trx: Trx, paymentId: string): Promise<void> => {
  const seen = await findEarning(trx, paymentId)
  if (!seen || seen.refunded_minor === 0) return
  const partner = await lockPartner(trx, seen.partner_id)
  // With their account a partner has given up what there was.
  if (!partner) return
  const earning = await findEarning(trx, paymentId)
  // All of an own card's is back already.
  if (!earning || earning.is_own_card) return
  const { partner_id, currency, amount_minor, charged_minor, refunded_minor } = earning
  const due = dueBackMinor(amount_minor, charged_minor, refunded_minor)
  // A purchase that was cancelled is none: else a cent's worth of use would be one step to the next level.
  const isUndone = refunded_minor === charged_minor || earning.cancelled_at !== null
  await noteDueBack(trx, paymentId, due, isUndone)
  if (isUndone && !earning.is_refunded) await takeTransaction(trx, partner_id, earning.source === 'promocode')
  if (earning.matured_at) return collectReversals(trx, partner_id, currency)
  const taken = due - earning.reversed_minor
  await noteReversed(trx, paymentId, taken)
  await insertTransfer(trx, {
    partner_id,
    currency,
    kind: 'reversed',
    from_account: 'pending',
    to_account: 'shop',
    amount_minor: taken,
    payment_id: paymentId,
  })
}

/**
 * Money of a payment that had gone back is there again: its partner's earning follows, in the same transaction, once. What
 * was not taken back, because it was not there, is not credited again.
 */
export const restoreEarning = async (trx: Trx, paymentId: string): Promise<void> => {
  const seen = await findEarning(trx, paymentId)
  const partner = seen && (await lockPartner(trx, seen.partner_id))
  // With their account a partner has given up what there was.
  if (!partner) return
  const earning = await findEarning(trx, paymentId)
  if (!earning || earning.is_own_card) return
  const { partner_id, currency, source, amount_minor, charged_minor, refunded_minor } = earning
  const due = dueBackMinor(amount_minor, charged_minor, refunded_minor)
  const isUndone = refunded_minor === charged_minor || earning.cancelled_at !== null
  const back = Math.max(0, earning.reversed_minor - due)
  // First: never more is taken back than is due.
  await noteReversed(trx, paymentId, -back)
  await noteDueBack(trx, paymentId, due, isUndone)
  if (earning.is_refunded && !isUndone) await addTransaction(trx, partner_id, source === 'promocode')
  await insertTransfer(trx, {
    partner_id,
    currency,
    kind: 'restored',
    from_account: 'shop',
    to_account: earning.matured_at ? 'available' : 'pending',
    amount_minor: back,
    payment_id: paymentId,
  })
  // Other payments' debts come first, as with all that becomes available.
  if (earning.matured_at) await collectReversals(trx, partner_id, currency)
}

type Held = NonNullable<Awaited<ReturnType<typeof claimDueToMature>>>

/** The partner has paid with the same card since, or at the very moment of the credit: nothing was earned. */
const takeBackOwnCard = async (trx: Trx, earning: Held): Promise<void> => {
  const { payment_id, partner_id, currency, source, amount_minor, reversed_minor, is_refunded } = earning
  await noteOwnCard(trx, payment_id)
  if (!is_refunded) await takeTransaction(trx, partner_id, source === 'promocode')
  await insertTransfer(trx, {
    partner_id,
    currency,
    kind: 'reversed',
    from_account: 'pending',
    to_account: 'shop',
    amount_minor: amount_minor - reversed_minor,
    payment_id,
  })
}

type Due = Awaited<ReturnType<typeof listDueToMature>>[number]

/** The order is locked first, as at the credit: the payment may have to be written. */
const mature = (
  { db }: Pick<Deps, 'db'>,
  { id: paymentId, order_id, partner_id: partnerId }: Due,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await waitBriefly(trx)
    await lockOrder(trx, order_id)
    await lockPartner(trx, partnerId)
    // Undefined also when the partner is gone: erasing the account ends the holds.
    const earning = await claimDueToMature(trx, paymentId)
    if (!earning) return
    if (await hasPartnersCard(trx, paymentId)) return takeBackOwnCard(trx, earning)
    const { partner_id, currency, amount_minor, reversed_minor } = earning
    await insertTransfer(trx, {
      partner_id,
      currency,
      kind: 'matured',
      from_account: 'pending',
      to_account: 'available',
      amount_minor: amount_minor - reversed_minor,
      payment_id: paymentId,
    })
    await collectReversals(trx, partner_id, currency)
  })

/** Earnings whose hold is over become available, but for those of the partner's own card. */
export const matureEarnings = ({ db }: Pick<Deps, 'db'>): Promise<Undone[]> =>
  throughAll(
    (rows, after) => listDueToMature(db, rows, after),
    (due) => mature({ db }, due),
  )

export { IS_TO_BE_EARNED, listPartnersOwing } from '#partners/earnings/earnings.queries.ts'

const ALL_NAMED = 20

/** The recurring job: new payments are credited, and holds end. Fails in the end where some could not be. */
export const creditAndReleaseEarnings = async (deps: Deps): Promise<void> => {
  const undone = [...(await creditPartners(deps)), ...(await matureEarnings(deps))]
  await forgetErasedCards(deps.db)
  const [first] = undone
  if (!first) return
  const named = undone.slice(0, ALL_NAMED).map(({ paymentId }) => paymentId)
  throw new Error(`the earnings of ${undone.length} payments are not up to date: ${named.join(', ')}`, {
    cause: first.error,
  })
}

/** The account goes: what was not asked for returns to the shop. To be called with the customer locked. */
export const giveUpEarnings = async (trx: Trx, partnerId: string): Promise<void> => {
  if (!(await lockPartner(trx, partnerId))) return
  for (const { currency, pending_minor, available_minor } of await listBalances(trx, partnerId)) {
    const common = { partner_id: partnerId, currency, kind: 'given-up', to_account: 'shop' } as const
    await insertTransfer(trx, { ...common, from_account: 'pending', amount_minor: Number(pending_minor) })
    await insertTransfer(trx, { ...common, from_account: 'available', amount_minor: Number(available_minor) })
  }
  await endHolds(trx, partnerId)
}
