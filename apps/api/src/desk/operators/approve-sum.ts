import { randomUUID } from 'node:crypto'
import { formatMinor } from '@hedgerow/domain/money'
import { ACTS_A_DAY, CUSTOMER_DAYS, judgeSum } from '@hedgerow/domain/operator-sums'
import { deleteSum, insertSum, lockSums, readGivenSums } from '#desk/operators/operator-sums.queries.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { requireSecondPerson } from '#people/operators/second-person.ts'
import type { Trx } from '#platform/database/client.ts'
import type { SecondPersonFacts } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

export { deleteOldSums } from '#desk/operators/operator-sums.queries.ts'

type Sum = {
  amountMinor: number
  /** Whose customer's other payments count too. */
  paymentId?: string | undefined
  /** What it is done to. */
  subject: string
  /** All that the second person agrees to. */
  facts: SecondPersonFacts
  /** What is sent when it is confirmed, beside what was sent. */
  sends?: object
}

/** How it is counted, once it is done. Returns how that is taken back. */
type Count = (trx: Trx, refundId?: string) => Promise<() => Promise<void>>

const mostOf = (largeMinor: number): string =>
  `You may give back up to ${formatMinor(largeMinor)} to one customer within ${CUSTOMER_DAYS} days, and up to ${formatMinor(largeMinor * ACTS_A_DAY)} within a day. Ask an owner, a manager or finance to give back more.`

/**
 * Whether an operator may give back so much, by what has been given already: counted in the act's own transaction, which
 * holds the payment. Throws 'sum-too-large', and NeedsSecondPerson.
 */
export const approveSum = async (
  { db, settings }: With<'db' | 'settings'>,
  trx: Trx,
  operator: OperatorCaller,
  { amountMinor, paymentId, subject, facts, sends }: Sum,
): Promise<Count> => {
  // Who has the shell has the database, and no settings of the shop.
  if (operator.by === 'shell') return async () => async () => undefined
  await lockSums(trx)
  const given = await readGivenSums(trx, operator.id, paymentId)
  const takes = judgeSum(
    { amountMinor, ...given },
    { largeMinor: settings.largeRefundMinor, secondMinor: settings.secondPersonMinor },
  )
  if (takes !== 'small' && !operator.permissions.has('payments.refund-large'))
    throw new Problem('sum-too-large', { detail: mostOf(settings.largeRefundMinor) })
  if (takes === 'two') await requireSecondPerson(trx, operator, facts, sends)
  const isConfirmed = takes === 'two' && operator.by === 'confirmed'
  return async (within, refundId) => {
    const id = randomUUID()
    await insertSum(within, {
      id,
      operator_id: operator.id,
      subject,
      amount_minor: amountMinor,
      refund_id: refundId ?? null,
      confirmed_by: isConfirmed ? operator.confirmedBy.id : null,
    })
    return () => deleteSum(db, id)
  }
}
