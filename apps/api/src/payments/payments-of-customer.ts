import type { PaymentData } from '@hedgerow/contract/profile'
import { toMajor } from '@hedgerow/domain/money'
import type { Transaction } from 'kysely'
import type { Database } from '#database/schema.ts'
import type { Dependencies } from '#dependencies.ts'
import { cutPaymentsFrom, hasLivePayment, listPaymentsOf } from './payments.queries.ts'

type Trx = Transaction<Database>

/** What is held of a customer's payments, for the file with all their data. */
export const paymentsForExport = async (
  { db }: Pick<Dependencies, 'db'>,
  customerId: string,
): Promise<PaymentData[]> =>
  (await listPaymentsOf(db, customerId)).map((row) => ({
    paymentId: row.id,
    orderId: row.order_id,
    method: row.method,
    amount: toMajor(row.amount_minor),
    currency: row.currency,
    status: row.status,
    pan: row.pan_masked,
    cardHolder: row.card_holder,
    authCode: row.auth_code,
    prescription: { ...row.prescription },
    answeredMd: row.answered_md,
    gateRequestId: row.gate_request_id,
    gateCode: row.gate_code,
    newsAt: row.news_at?.toISOString() ?? null,
    checks: row.checks,
    nextCheckAt: row.next_check_at?.toISOString() ?? null,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    refundDue: row.refund_due,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }))

/** Whether a payment of the customer's may still succeed by itself. */
export const isPaying = (trx: Trx, customerId: string): Promise<boolean> => hasLivePayment(trx, customerId)

/** What was paid stays for the books; who paid is forgotten. */
export const erasePayments = (trx: Trx, customerId: string) => cutPaymentsFrom(trx, customerId)
