import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import type { Dependencies } from '#dependencies.ts'
import { presentAttempt } from './payments.present.ts'
import { listPaymentRows } from './payments.queries.ts'

const LISTED = 200

/** Every attempt of the account to pay, whatever became of it. */
export const listPayments = async (
  { db }: Pick<Dependencies, 'db'>,
  customerId: string,
): Promise<PaymentHistoryItem[]> => (await listPaymentRows(db, customerId, LISTED)).map(presentAttempt)
