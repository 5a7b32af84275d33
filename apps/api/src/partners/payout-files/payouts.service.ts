import { randomInt } from 'node:crypto'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { BankDetails } from '@hedgerow/domain/withdrawals'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import type { Unpayable } from '#partners/payout-files/payee.ts'
import {
  findBatch,
  findPayoutOf,
  insertBatch,
  insertPayouts,
  listPayable,
  listPayoutsOf,
  listToExport,
  type PayableRow,
  type PayoutBatch,
  releasePayout,
  sumPaidRows,
} from '#partners/payout-files/payouts.queries.ts'
import { findWithdrawal } from '#partners/withdrawals/withdrawals.queries.ts'
import { refuseRecalled, revealBankDetails } from '#partners/withdrawals/withdrawals.service.ts'
import { newReadableCode } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'

export {
  type BatchFacts,
  batchOrder,
  type PayoutBatch,
  selectBatches,
} from '#partners/payout-files/payouts.queries.ts'

/** The most that one file holds; what is beyond stands in the next one. */
const MOST_IN_A_FILE = 1000

/** The digit tells it from a word, where a bank writes it among others. */
export const newBatchId = (): string => `B${randomInt(2, 10)}${newReadableCode(8)}`
const newReference = (): string => `P${randomInt(2, 10)}${newReadableCode(10)}`

/** A withdrawal as a file pays it. */
export type Payout = { reference: string; amountMinor: number; details: BankDetails }

/** Turns payouts into the file's text; pure. `whyNot`: why someone cannot be paid by such a file. */
export type PayoutWriter = {
  whyNot: (details: BankDetails) => Unpayable | undefined
  write: (batch: PayoutBatch, payouts: readonly Payout[]) => string
}

/** A withdrawal that is not in the file, and why: the file cannot pay them, they owe money back, or the bank details do not open. */
export type LeftOut = Pick<PayableRow, 'id' | 'email' | 'amount_minor' | 'owing_minor'> & {
  why: Unpayable | 'owes' | 'unreadable'
}

export type PayoutFile = { batch: PayoutBatch; text: string; count: number; sumMinor: number }
export type Exported = { file?: PayoutFile; leftOut: LeftOut[]; hasMore: boolean }

/** Whether an operator may have so much paid, of these withdrawals; throws where not. */
export type ApprovePayouts = (
  trx: Trx,
  sumMinor: number,
  withdrawalIds: readonly string[],
) => Promise<unknown>

/** The shop's key is another one, or the row was changed by other means. Nothing was recorded. */
export class SealedDetails extends Error {
  override name = 'SealedDetails'
  readonly withdrawalId: string
  constructor(withdrawalId: string) {
    super(`The bank details of withdrawal ${withdrawalId} cannot be opened.`)
    this.withdrawalId = withdrawalId
  }
}

const opened = (
  deps: With<'keyCipher'>,
  row: { id: string; details_encrypted: Buffer | null },
): BankDetails => {
  const details = revealBankDetails(deps, row)
  if (details === undefined || details === 'unreadable') throw new SealedDetails(row.id)
  return details
}

/** Locked in one order, so that two who lock many never wait for each other. */
const lockPartners = async (trx: Trx, partnerIds: readonly string[]): Promise<void> => {
  for (const id of [...new Set(partnerIds)].sort()) await lockPartner(trx, id)
}

const fileOf = (writer: PayoutWriter, batch: PayoutBatch, payouts: readonly Payout[]): PayoutFile => ({
  batch,
  text: writer.write(batch, payouts),
  count: payouts.length,
  sumMinor: payouts.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
})

/**
 * Puts every waiting withdrawal that a file can pay in a new batch, and answers the file's text. With all of their
 * partners locked: a withdrawal stands in one batch at most, whatever is exported, paid or refused at this moment. Where
 * the text is lost, `rewriteBatch` gives it again.
 */
export const exportPayouts = (
  deps: With<'db' | 'keyCipher'>,
  batch: PayoutBatch,
  writer: PayoutWriter,
  { mayOwe, approve }: { mayOwe: boolean; approve?: ApprovePayouts },
): Promise<Exported> =>
  deps.db.transaction().execute(async (trx) => {
    const found = await listToExport(trx, batch.currency, MOST_IN_A_FILE + 1)
    const wanted = found.slice(0, MOST_IN_A_FILE)
    const hasMore = found.length > MOST_IN_A_FILE
    if (wanted.length === 0) return { leftOut: [], hasMore }
    await lockPartners(
      trx,
      wanted.map(({ partner_id }) => partner_id),
    )
    const rows = await listPayable(
      trx,
      wanted.map(({ id }) => id),
    )
    const payouts: (Payout & { withdrawalId: string })[] = []
    const leftOut: LeftOut[] = []
    for (const row of rows) {
      const { id, amount_minor, status, recalled_at, payout_reference, owing_minor } = row
      // Another one was faster while this waited for the lock.
      if (status !== 'requested' || recalled_at || payout_reference !== null) continue
      const details = revealBankDetails(deps, row)
      if (details === undefined || details === 'unreadable') {
        leftOut.push({ ...row, why: 'unreadable' })
        continue
      }
      const why = writer.whyNot(details) ?? (owing_minor > 0 && !mayOwe ? 'owes' : undefined)
      if (why) leftOut.push({ ...row, why })
      else payouts.push({ withdrawalId: id, reference: newReference(), amountMinor: amount_minor, details })
    }
    if (payouts.length === 0) return { leftOut, hasMore }
    const file = fileOf(writer, batch, payouts)
    await approve?.(
      trx,
      file.sumMinor,
      payouts.map(({ withdrawalId }) => withdrawalId),
    )
    await insertBatch(trx, batch)
    await insertPayouts(
      trx,
      batch.id,
      payouts.map(({ reference, withdrawalId }, at) => ({ reference, withdrawalId, position: at + 1 })),
    )
    return { file, leftOut, hasMore }
  })

export const getBatch = ({ db }: With<'db'>, id: string) => findBatch(db, id)
export const listBatchPayouts = ({ db }: With<'db'>, batchId: string) => listPayoutsOf(db, batchId)

/**
 * The very bytes that the file of a batch had, which is safe only as long as nothing has come of it: 'changed' once one of
 * its withdrawals has ended, was recalled or was taken out. Throws SealedDetails.
 */
export const rewriteBatch = async (
  deps: With<'db' | 'keyCipher'>,
  batch: PayoutBatch,
  writer: PayoutWriter,
): Promise<PayoutFile | 'changed'> => {
  const rows = await listPayoutsOf(deps.db, batch.id)
  if (rows.some((row) => row.status !== 'requested' || row.recalled_at || row.released_at)) return 'changed'
  const payouts = rows.map((row) => ({
    reference: row.reference,
    amountMinor: row.amount_minor,
    details: opened(deps, { id: row.withdrawal_id, details_encrypted: row.details_encrypted }),
  }))
  return fileOf(writer, batch, payouts)
}

/** 'released' now; 'not-in-batch': it stands in none, or was taken out before; 'ended': it is paid, or refused. */
export type Release = 'released' | 'not-in-batch' | 'ended'

/**
 * Takes a withdrawal out of its batch: it can stand in another one, under another reference, or is refused if it was
 * recalled. `reference`: out of that file only. `because`: 'operator', or 'bank' with its code.
 */
export const releaseWithdrawal = (
  { db }: With<'db'>,
  withdrawalId: string,
  because: string,
  reference?: string,
): Promise<Release> =>
  db.transaction().execute(async (trx) => {
    const seen = await findWithdrawal(trx, withdrawalId)
    if (!seen) return 'not-in-batch'
    await lockPartner(trx, seen.partner_id)
    const withdrawal = await findWithdrawal(trx, withdrawalId)
    const payout = await findPayoutOf(trx, withdrawalId)
    if (!payout || (reference !== undefined && payout.reference !== reference)) return 'not-in-batch'
    if (withdrawal?.status !== 'requested') return 'ended'
    if (!(await releasePayout(trx, payout.reference, because))) return 'not-in-batch'
    if (withdrawal.recalled_at) await refuseRecalled(trx, withdrawal)
    return 'released'
  })

/** Takes all that wait out of a batch, each by itself: what a crash leaves is done by doing it again. Returns how many. */
export const releaseBatch = async (deps: With<'db'>, batchId: string): Promise<number> => {
  let released = 0
  for (const { withdrawal_id, reference, status, released_at } of await listPayoutsOf(deps.db, batchId))
    if (status === 'requested' && !released_at) {
      const outcome = await releaseWithdrawal(deps, withdrawal_id, 'operator', reference)
      if (outcome === 'released') released++
    }
  return released
}

/** What partners were paid: as the withdrawals say, and as the ledger does. Minor units. */
export type PaidOut = { currency: CurrencyCode; count: number; paidMinor: number; ledgerMinor: number }

/** For each currency in which any was paid. `to` is not included. The two sums differ only where the books are broken. */
export const sumPaidOut = ({ db }: With<'db'>, from: Date, to: Date): Promise<PaidOut[]> =>
  sumPaidRows(db, from, to)
