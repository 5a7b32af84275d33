import type { ToldStatus } from '@hedgerow/domain/dispute-status'

/** A chargeback as a gateway tells it, as far as it could be read. */
export type Chargeback = {
  gateId: string
  /** As the gateway has it: it need not be one of ours. */
  paymentId: string
  amountMinor: number
  currency: string
  reason: string | undefined
  /** The gateway's own word. */
  gateStatus: string
  status: ToldStatus
  openedAt: Date | undefined
  /** By when to answer; undefined where it is counted from the day that it was opened. */
  respondBy?: Date | undefined
}

/** One of a gateway that other shops may use under the same account: `saleId` is its own id of the sale. */
export type SharedChargeback = Chargeback & { saleId: string }
