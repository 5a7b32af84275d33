import type { CurrencyCode } from '@hedgerow/domain/money'
import type { ColumnType, Selectable } from 'kysely'

/** Whose account partners are paid from, as it stood when the file was made. */
export type Payer = {
  name: string
  iban?: string
  bic?: string
  sortCode?: string
  accountNumber?: string
}

/** A file with payouts, for the bank; never changed, so that the same bytes can be written again. */
export type PayoutBatchesTable = {
  /** The file's message id: 'B', a digit, and eight letters and digits. */
  id: string
  currency: CurrencyCode
  /** 'sepa': pain.001. 'csv': what a British bank takes. */
  kind: 'sepa' | 'csv'
  /** The day that the bank is asked to pay on. */
  execution_day: ColumnType<Date, string, never>
  payer: ColumnType<Payer, string, never>
  /** Of a 'csv' file, as `--columns` takes them. */
  columns: string | null
  /** The file tells it: to the millisecond. */
  created_at: Date
}

/** A withdrawal in a batch. Taken out of it, the withdrawal can stand in another one under another reference. */
export type PayoutsTable = {
  /** What bank and partner see: 'P', a digit, and ten letters and digits. */
  reference: string
  batch_id: string
  withdrawal_id: string
  /** In the file; 1 is the first. */
  position: number
  released_at: Date | null
  /** 'operator', 'bank', or 'bank' with its code for why. */
  released_because: string | null
}

export type PayoutsTables = {
  payout_batches: PayoutBatchesTable
  payouts: PayoutsTable
}

export type PayoutRow = Selectable<PayoutsTable>
