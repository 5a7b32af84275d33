import type { CurrencyCode } from '@hedgerow/domain/money'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { PaymentStatus } from '@hedgerow/domain/payment-moves'
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'

/** Where the customer has to go: the issuer's page, or a page of the payment system. */
export type Prescription =
  | { kind: 'challenge'; acsUrl: string; paReq: string; md: string }
  | { kind: 'redirect'; url: string; method: 'GET' | 'POST'; body: Record<string, string> }

/** One attempt to pay an order. `id` is 128 random bits in hexadecimal, and the gateway's payment_id. */
export type PaymentsTable = {
  id: string
  order_id: string
  /** Null: the account was erased. */
  customer_id: string | null
  method: PaymentMethod
  amount_minor: number
  currency: CurrencyCode
  status: Generated<PaymentStatus>
  prescription: JSONColumnType<Prescription | { kind: 'none' }, string | undefined, string>
  /** The MD of the challenge that was answered: a late repeat of that challenge is no news. */
  answered_md: string | null
  gate_request_id: string | null
  gate_code: string | null
  /** First six and last four digits; nothing more of the number is kept. */
  pan_masked: string | null
  card_holder: string | null
  auth_code: string | null
  /** The gateway's own time of the news that this row shows. */
  news_at: Date | null
  /** How often the gateway was asked how it stands, and when to ask next. Null: it has ended. */
  checks: Generated<number>
  next_check_at: Date | null
  /** Null while it has not succeeded, or succeeded and waits for a free address. */
  delivered_at: Date | null
  /** Money came that nobody can be given anything for: the order was paid already, or the account is erased. */
  refund_due: Generated<boolean>
  /** Whether its order has got an invoice for it. */
  is_invoiced: Generated<boolean>
  created_at: ColumnType<Date, Date | undefined, never>
  ended_at: Date | null
}

export type PaymentsTables = { payments: PaymentsTable }

export type PaymentRow = Selectable<PaymentsTable>
