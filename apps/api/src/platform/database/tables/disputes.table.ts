import type { DisputeGroup, DisputeStatus, DisputeVat } from '@hedgerow/domain/dispute-status'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** A card holder's bank has taken money of a payment back, or tries to. */
export type DisputesTable = {
  id: Generated<string>
  payment_id: string
  /** In the currency that was charged, or that came in its place. */
  amount_minor: number
  currency: string
  /** The card network's code: '10.4'. */
  reason: string | null
  reason_group: DisputeGroup | null
  /** What the gateway calls it, and its own word for how it stands. Null: only the operator has said so. */
  gate_id: string | null
  gate_status: string | null
  status: Generated<DisputeStatus>
  /** 2 and more: it was won, and opened again. */
  phase: Generated<number>
  opened_at: Generated<Date>
  respond_by: Date
  /** When the operator said that the gateway has the answer. */
  answered_at: Date | null
  ended_at: Date | null
  /** Whether what was bought has ended because of it. */
  connections_ended: Generated<boolean>
  /** Of one that was lost: what it means to the VAT, and the row of the money that is gone. */
  vat: DisputeVat | null
  refund_id: string | null
  /** When it was decided for the shop after all: the sum came back, and the refund counts no more. */
  reversed_at: Date | null
}

/** A notice, perhaps of the gateway, that there may be a dispute. Nothing of it is believed: it leads to asking. */
export type DisputeHintsTable = {
  /** Null: no payment was named. */
  payment_id: string | null
  first_told_at: Generated<Date>
  last_told_at: Generated<Date>
  /** When the gateway was asked, or the operator has looked. */
  checked_at: Date | null
}

/** What the gateway tells of as a chargeback and the shop could not make a dispute of. */
export type UnfiledChargebacksTable = {
  gate_id: string
  payment_id: string | null
  why: string
  told_at: Generated<Date>
  checked_at: Date | null
}

/** One row: when the gateway was asked last, when it answered last, and up to when it has reported. */
export type DisputeWatchTable = {
  is_only: ColumnType<boolean, never, never>
  asked_at: Date | null
  fetched_at: Date | null
  fetched_to: Date | null
}

export type DisputesTables = {
  disputes: DisputesTable
  dispute_hints: DisputeHintsTable
  unfiled_chargebacks: UnfiledChargebacksTable
  dispute_watch: DisputeWatchTable
}

export type DisputeRow = Selectable<DisputesTable>
