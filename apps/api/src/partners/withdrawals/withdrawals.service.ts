import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Withdrawal, WithdrawRequest } from '@hedgerow/contract/partnership'
import { isUuid } from '@hedgerow/domain/ids'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { type CurrencyCode, formatMoney, toMinor } from '@hedgerow/domain/money'
import type { WithdrawalRefusal } from '@hedgerow/domain/withdrawal-refusals'
import { type BankDetails, MINIMUM_WITHDRAWAL_MINOR } from '@hedgerow/domain/withdrawals'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import { documentNumbers, issueDocument } from '#partners/commissions/documents.service.ts'
import { owingOf } from '#partners/earnings/earnings.queries.ts'
import { collectReversals } from '#partners/earnings/earnings.service.ts'
import { availableOf, insertTransfer } from '#partners/ledger/ledger.queries.ts'
import { findPayoutOf } from '#partners/payout-files/payouts.queries.ts'
import {
  lastFourOf,
  methodOf,
  openBankDetails,
  readBankDetails,
  sealBankDetails,
} from '#partners/withdrawals/bank-details.ts'
import { presentWithdrawal } from '#partners/withdrawals/withdrawals.present.ts'
import {
  cutWithdrawalsFrom,
  endWithdrawal,
  findWithdrawal,
  findWithdrawalFacts,
  hasOpenWithdrawal,
  insertWithdrawal,
  listRequestedSince,
  listWithdrawalRows,
  markRecalled,
  type WithdrawalEnding,
} from '#partners/withdrawals/withdrawals.queries.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { holdSession } from '#people/sessions/hold-session.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Trx } from '#platform/database/client.ts'
import type { WithdrawalRow } from '#platform/database/tables/partnership.table.ts'
import type { PayoutRow } from '#platform/database/tables/payouts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'
import type { Settings } from '#platform/settings.ts'

export {
  forgetBankDetails,
  selectWithdrawals,
  type WithdrawalEnding,
  type WithdrawalFacts,
  withdrawalOrder,
} from '#partners/withdrawals/withdrawals.queries.ts'

type Wanted = { id: string; currency: CurrencyCode; amountMinor: number; details: BankDetails }

/** What is wrong whatever the balance. */
const read = (request: WithdrawRequest): Wanted => {
  const { id = randomUUID(), currency } = request
  const amountMinor = toMinor(request.amount) as number
  if (amountMinor < MINIMUM_WITHDRAWAL_MINOR) {
    const least = formatMoney(MINIMUM_WITHDRAWAL_MINOR, currency)
    throw invalidField('amount', OUR_MESSAGES.withdrawalSmall(least))
  }
  return { id, currency, amountMinor, details: readBankDetails(request) }
}

/** Whether it was asked for in the same words; of bank details that are forgotten, or do not open, the last four characters are left. */
const isSame = (cipher: KeyCipher, row: WithdrawalRow, partnerId: string, wanted: Wanted): boolean => {
  const { partner_id, currency, amount_minor, method, ends_with } = row
  if (partner_id !== partnerId || currency !== wanted.currency || amount_minor !== wanted.amountMinor)
    return false
  const known = revealBankDetails({ keyCipher: cipher }, row)
  if (known !== undefined && known !== 'unreadable') return isDeepStrictEqual(known, wanted.details)
  return method === methodOf(wanted.details) && ends_with === lastFourOf(wanted.details)
}

const record = async (
  trx: Trx,
  cipher: KeyCipher,
  partnerId: string,
  wanted: Wanted,
): Promise<WithdrawalRow> => {
  const { id, currency, amountMinor, details } = wanted
  const available = await availableOf(trx, partnerId, currency)
  if (amountMinor > available) {
    const most = formatMoney(available, currency)
    throw invalidField('amount', OUR_MESSAGES.withdrawalLarge(most))
  }
  const row = await insertWithdrawal(trx, {
    id,
    partner_id: partnerId,
    currency,
    amount_minor: amountMinor,
    method: methodOf(details),
    details_encrypted: sealBankDetails(cipher, details, id),
    ends_with: lastFourOf(details),
  })
  // Another customer's, at this very moment.
  if (!row) throw new Problem('withdrawal-id-taken')
  await insertTransfer(trx, {
    partner_id: partnerId,
    currency,
    kind: 'requested',
    from_account: 'available',
    to_account: 'requested',
    amount_minor: amountMinor,
    withdrawal_id: id,
  })
  await addJob(trx, 'mail-withdrawal-requested', { withdrawalId: id })
  await addJob(trx, 'mail-withdrawal-received', { withdrawalId: id })
  return row
}

/**
 * Asks for what is available, in whole or in part. With the partner locked: of many at once, none can ask for what
 * another has. The same id again is the same withdrawal. Throws 'withdrawal-id-taken'.
 */
export const requestWithdrawal = async (
  { db, keyCipher, log, meters }: With<'db' | 'keyCipher' | 'log' | 'meters'>,
  caller: Caller,
  request: WithdrawRequest,
): Promise<Withdrawal> => {
  const { customerId: partnerId } = caller
  await requireProof({ db }, caller)
  const wanted = read(request)
  const row = await db.transaction().execute(async (trx) => {
    if (!(await lockPartner(trx, partnerId))) throw new Problem('not-signed-in')
    if (!(await holdSession(trx, caller))) throw new Problem('not-signed-in')
    const known = await findWithdrawal(trx, wanted.id)
    if (!known) {
      const made = await record(trx, keyCipher, partnerId, wanted)
      await recordEvent({ db: trx, log, meters }, partnerId, 'withdrawal-asked')
      return made
    }
    if (!isSame(keyCipher, known, partnerId, wanted)) throw new Problem('withdrawal-id-taken')
    return known
  })
  return presentWithdrawal(row)
}

const LISTED = 100

export const listWithdrawals = async ({ db }: With<'db'>, partnerId: string): Promise<Withdrawal[]> => {
  const rows = await listWithdrawalRows(db, partnerId, LISTED)
  const documents = await documentNumbers(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => presentWithdrawal(row, documents.get(row.id)))
}

/** For the operator: a withdrawal with whom it is for. */
export const getWithdrawalReport = async ({ db }: With<'db'>, id: string) =>
  isUuid(id) ? findWithdrawalFacts(db, id) : undefined

/** For the operator who sends the money. Undefined once they are deleted; 'unreadable' with another key. */
export const revealBankDetails = (
  { keyCipher }: With<'keyCipher'>,
  { id, details_encrypted }: Pick<WithdrawalRow, 'id' | 'details_encrypted'>,
): BankDetails | 'unreadable' | undefined => {
  if (!details_encrypted) return undefined
  try {
    return openBankDetails(keyCipher, details_encrypted, id)
  } catch {
    return 'unreadable'
  }
}

/** What came of ending it: done now, done in the same words before, or refused. */
export type ResolvedWithdrawal =
  | { kind: 'recorded' | 'known'; withdrawal: WithdrawalRow }
  | { kind: 'refused'; why: WithdrawalRefusal }

export type ResolveOptions = {
  /** Whether it is paid although the partner owes money back. */
  mayOwe?: boolean
  /** Only as long as it stands in a file under this reference. */
  payoutReference?: string
}

const withReference = (ending: WithdrawalEnding, payoutReference: string | undefined): WithdrawalEnding =>
  ending.status === 'paid' ? { ...ending, reference: ending.reference ?? payoutReference ?? null } : ending

/** It has ended before. Other words than those that are kept reach no one: they are not dropped in silence. */
const endedBefore = (ending: WithdrawalEnding, withdrawal: WithdrawalRow): ResolvedWithdrawal => {
  const { status, ended_at: endedAt } = withdrawal
  if (status !== ending.status) return { kind: 'refused', why: { code: 'ended', status, endedAt } }
  const [given, kept] =
    ending.status === 'paid' ? [ending.reference, withdrawal.reference] : [ending.reason, withdrawal.reason]
  return given === null || given === kept
    ? { kind: 'known', withdrawal }
    : { kind: 'refused', why: { code: 'ended-in-other-words', status, endedAt, kept } }
}

/** What stands in the way of ending one that waits. To be called with the partner locked. */
const whyNot = async (
  trx: Trx,
  { partner_id, currency, amount_minor: amountMinor }: WithdrawalRow,
  ending: WithdrawalEnding,
  { mayOwe = true, payoutReference }: ResolveOptions,
  payout: PayoutRow | undefined,
): Promise<WithdrawalRefusal | undefined> => {
  const isPaid = ending.status === 'paid'
  const owingMinor = isPaid && !mayOwe ? await owingOf(trx, partner_id, currency) : 0
  if (owingMinor > 0) return { code: 'owes', owingMinor, amountMinor, currency }
  if (payoutReference !== undefined && payout?.reference !== payoutReference)
    return { code: 'not-in-that-batch' }
  return payout && !isPaid ? { code: 'in-batch', batch: payout.batch_id } : undefined
}

/** Of one that waits. To be called with the partner locked. */
const endWithin = async (
  trx: Trx,
  { id, partner_id, currency, amount_minor }: WithdrawalRow,
  ending: WithdrawalEnding,
): Promise<WithdrawalRow> => {
  const withdrawal = await endWithdrawal(trx, id, ending)
  const from = { partner_id, currency, amount_minor, withdrawal_id: id, from_account: 'requested' } as const
  if (ending.status === 'paid') await insertTransfer(trx, { ...from, kind: 'paid', to_account: 'paid' })
  else {
    await insertTransfer(trx, { ...from, kind: 'refused', to_account: 'available' })
    await collectReversals(trx, partner_id, currency)
  }
  await addJob(trx, 'mail-withdrawal-ended', { withdrawalId: id })
  return withdrawal
}

export type PayingDependencies = With<'db'> & { settings: Pick<Settings, 'brand'> }

/**
 * The operator has sent the money, or will not. Of two at once one wins. What is refused is available again, and first
 * pays what refunds still want back. What stands in a file for the bank is not refused, for the bank may pay it; paid, it
 * gets the file's reference unless another is given, and its document. Undefined when there is no such withdrawal.
 */
export const resolveWithdrawal = (
  { db, settings }: PayingDependencies,
  id: string,
  ending: WithdrawalEnding,
  options: ResolveOptions = {},
): Promise<ResolvedWithdrawal | undefined> =>
  db.transaction().execute(async (trx) => {
    const known = await findWithdrawal(trx, id)
    if (!known) return undefined
    await lockPartner(trx, known.partner_id)
    // As it is now that no one else can end it.
    const seen = (await findWithdrawal(trx, id)) ?? known
    if (seen.status !== 'requested') return endedBefore(ending, seen)
    const payout = await findPayoutOf(trx, id)
    const why = await whyNot(trx, seen, ending, options, payout)
    if (why) return { kind: 'refused', why }
    const withdrawal = await endWithin(trx, seen, withReference(ending, payout?.reference))
    if (withdrawal.status === 'paid') await issueDocument(trx, settings, withdrawal)
    return { kind: 'recorded', withdrawal }
  })

const RECOVERED =
  'A new password was chosen by email soon after this was requested. If it was you, request it again.'

/** Of one that waits and stands in no file. To be called with the partner locked. */
export const refuseRecalled = (trx: Trx, withdrawal: WithdrawalRow) =>
  endWithin(trx, withdrawal, { status: 'refused', reason: RECOVERED })

/**
 * Someone else may have requested them. What stands in a file for the bank may be paid by it: the operator and the partner are
 * mailed of it, and it is refused once it is taken out.
 */
export const refuseRequestedSince = async (
  { db }: With<'db'>,
  { customerId, since }: { customerId: string; since: string },
): Promise<void> => {
  for (const withdrawalId of await listRequestedSince(db, customerId, new Date(since)))
    await db.transaction().execute(async (trx) => {
      await lockPartner(trx, customerId)
      const withdrawal = await findWithdrawal(trx, withdrawalId)
      if (withdrawal?.status !== 'requested') return
      if (!(await findPayoutOf(trx, withdrawalId))) await refuseRecalled(trx, withdrawal)
      else if (await markRecalled(trx, withdrawalId)) {
        await addJob(trx, 'mail-withdrawal-recalled', { withdrawalId })
        await addJob(trx, 'mail-withdrawal-at-bank', { withdrawalId })
      }
    })
}

/**
 * The account goes: its withdrawals stay for the books, without a person. To be called with the customer locked, so that
 * no other is asked for. Throws 'account-withdraws' while one waits for the operator.
 */
export const eraseWithdrawals = async (trx: Trx, partnerId: string): Promise<void> => {
  if (await hasOpenWithdrawal(trx, partnerId)) throw new Problem('account-withdraws')
  await cutWithdrawalsFrom(trx, partnerId)
}
