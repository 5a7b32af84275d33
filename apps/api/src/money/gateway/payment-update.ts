import type { Coin } from '@hedgerow/domain/coins'
import type { NextAction } from '@hedgerow/domain/next-action'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import { sql } from 'kysely'
import type { PaymentRow } from '#platform/database/tables/payments.table.ts'

/** What a callback or a status answer says of a payment, whichever gateway it came from. */
export type PaymentUpdate = {
  paymentId: string
  status: PaymentStatus
  /** The gateway's own word for it. */
  gateStatus: string
  /** What the customer was to pay; undefined in an update that carries no operation. */
  amountMinor: number | undefined
  currency: string | undefined
  /**
   * What has come, where money has: what is left of it, and what went back of it. Undefined where the update does not say;
   * one of a single operation does not, once a part has gone back.
   */
  paid: Sum | undefined
  /** What came beyond that, in the currency that was asked for. */
  overMinor?: number
  /** What it came as, where that is told. */
  coins?: Coin[] | undefined
  nextAction: NextAction | undefined
  /** The gateway's own time of it. */
  at: Date | undefined
  requestId: string | undefined
  code: string | undefined
  authCode: string | undefined
  eci: string | undefined
  panMasked: string | undefined
  cardHolder: string | undefined
  /** Where the masked number does not tell it. */
  cardBrand?: string | undefined
  refunds: RefundUpdate[]
  /** All of it has gone back. */
  isGivenBack: boolean
  /** Undefined: one that the shop does not sell by. */
  method: PaymentMethod | undefined
  /** The customer's id, as the shop sent it. */
  customerId: string | undefined
  /** It says nothing of the sale itself, whatever the payment's status is called. */
  isRefundOnly: boolean
}

export type Sum = { amount: number; currency: string }

/** A refund or reversal as the gateway reports it. */
export type RefundUpdate = {
  operationId: string | undefined
  requestId: string | undefined
  /** Our own name for it, where the gateway repeats it. */
  refundId: string | undefined
  /** 'returned': it failed, though it may have counted as a success before, and the money is with us. */
  status: 'success' | 'decline' | 'returned'
  amountMinor: number | undefined
  currency: string | undefined
  code: string | undefined
}

/** What an update writes into a payment's row, whatever its status: the columns, and where each comes from. */
const GATE_COLUMNS = {
  gate_updated_at: { type: 'timestamptz', field: 'at' },
  gate_request_id: { type: 'text', field: 'requestId' },
  gate_code: { type: 'text', field: 'code' },
  gate_status: { type: 'text', field: 'gateStatus' },
  auth_code: { type: 'text', field: 'authCode' },
  eci: { type: 'text', field: 'eci' },
  pan_masked: { type: 'text', field: 'panMasked' },
  card_holder: { type: 'text', field: 'cardHolder' },
  card_brand: { type: 'text', field: 'cardBrand' },
} as const satisfies Partial<Record<keyof PaymentRow, { type: string; field: keyof PaymentUpdate }>>

type GateColumn = keyof typeof GATE_COLUMNS
export type GateDetails = Partial<Pick<PaymentRow, GateColumn>>

/** Fields that the update does not have are left out, and stay as they are. */
export const detailsOf = (update: PaymentUpdate): GateDetails =>
  Object.fromEntries(
    Object.entries(GATE_COLUMNS).flatMap(([column, { field }]) =>
      update[field] ? [[column, update[field]]] : [],
    ),
  )

/** The same as assignments of a statement, for `update payments set`. */
export const setDetails = (details: GateDetails) =>
  sql.join(
    (Object.keys(GATE_COLUMNS) as GateColumn[]).map((column) => {
      const type = sql.raw(GATE_COLUMNS[column].type)
      return sql`${sql.ref(column)} = coalesce(${details[column] ?? null}::${type}, ${sql.ref(column)})`
    }),
  )
