import { writeCreditTransfers } from '#partners/payout-files/credit-transfer.ts'
import {
  type BacsPayee,
  bacsPayee,
  type SepaPayee,
  sepaPayee,
  type Unpayable,
} from '#partners/payout-files/payee.ts'
import { ColumnsFault, columnsOf, namesPayer, writePaymentList } from '#partners/payout-files/payment-list.ts'
import type { PayoutBatch } from '#partners/payout-files/payouts.queries.ts'
import type { Payout, PayoutWriter } from '#partners/payout-files/payouts.service.ts'
import type { Payer } from '#platform/database/tables/payouts.table.ts'

const unpayable = (payee: object | Unpayable) => (typeof payee === 'string' ? payee : undefined)

/** Of a payout that was found payable before. */
const payable = <Payee extends object>(
  payouts: readonly Payout[],
  payeeOf: (details: Payout['details']) => Payee | Unpayable,
) =>
  payouts.map(({ reference, amountMinor, details }) => {
    const payee = payeeOf(details)
    if (typeof payee === 'string') throw new Error(`payout ${reference} cannot be paid: ${payee}`)
    return { ...payee, reference, amountMinor }
  })

const withIban = (payer: Payer): Payer & { iban: string } => {
  const { iban } = payer
  if (!iban) throw new Error('a SEPA file needs the IBAN of its payer')
  return { ...payer, iban }
}

const SEPA: PayoutWriter = {
  whyNot: (details) => unpayable(sepaPayee(details)),
  write: ({ id, createdAt, executionDay, payer }, payouts) =>
    writeCreditTransfers({
      id,
      createdAt,
      executionDay,
      payer: withIban(payer),
      transfers: payable<SepaPayee>(payouts, sepaPayee),
    }),
}

const LIST: PayoutWriter = {
  whyNot: (details) => unpayable(bacsPayee(details)),
  write: ({ executionDay, payer, columns }, payouts) =>
    writePaymentList(
      { executionDay, payer, payments: payable<BacsPayee>(payouts, bacsPayee) },
      columns ?? '',
    ),
}

/** What makes the file of a batch, the same one each time. */
export const writerFor = ({ kind }: Pick<PayoutBatch, 'kind'>): PayoutWriter =>
  kind === 'sepa' ? SEPA : LIST

/** The columns of a list by a preset's name or as they were typed, or what is wrong with them. */
export const readList = (
  presetOrColumns: string,
): { columns: string; namesPayer: boolean } | { fault: string } => {
  try {
    const columns = columnsOf(presetOrColumns)
    return { columns, namesPayer: namesPayer(columns) }
  } catch (error) {
    if (error instanceof ColumnsFault) return { fault: error.message }
    throw error
  }
}
