import type { CommissionKind } from '@hedgerow/domain/commissions'
import type { LedgerAccount, LedgerKind } from '@hedgerow/domain/ledger'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { TaxedSums } from '@hedgerow/domain/vat'
import type { WithdrawalStatus } from '@hedgerow/domain/withdrawals'
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'
import type {
  Buyer,
  InvoiceCountersTable,
  InvoiceGapsTable,
  Issuer,
  SterlingSums,
} from '#platform/database/tables/invoices.table.ts'

/** A customer as a partner; there from the first crossing, transaction or limit on. Nothing is kept of who crossed. */
export type PartnersTable = {
  customer_id: string
  /** How often the referral link was followed. */
  referral_visits: Generated<number>
  /**
   * Credited payments that were not given back, and how many of them by the promocode. They can go down: a level comes from
   * those that are settled.
   */
  transactions: Generated<number>
  promocode_uses: Generated<number>
  /** How often the promocode may be used in all, as the operator set it. Null: without limit. */
  promocode_limit: number | null
  /** When the operator closed the promocode. */
  promocode_closed_at: Date | null
}

/** A partner's share of one payment. `partner_id` is of a customer, who may be gone since. */
export type EarningsTable = {
  payment_id: string
  partner_id: string
  /** The payment carried the partner's promocode, or its customer came by the partner's link. */
  source: 'promocode' | 'referral'
  level: number
  percentage: number
  amount_minor: number
  currency: CurrencyCode
  /** What refunds of the payment want back of it, and what of that was there to be taken. */
  due_back_minor: Generated<number>
  reversed_minor: Generated<number>
  /** All of the payment was given back, or its card turned out to be the partner's: it is no transaction any more. */
  is_refunded: Generated<boolean>
  /** The partner has paid with the same card: all of it was taken back when the hold ended. */
  is_own_card: Generated<boolean>
  earned_at: Generated<Date>
  /** When the hold ends. */
  available_at: Date
  matured_at: Date | null
}

/** A partner who wants to be paid. */
export type WithdrawalsTable = {
  /** Made by the partner's page: the same id twice is the same withdrawal. */
  id: string
  partner_id: string
  currency: CurrencyCode
  amount_minor: number
  method: 'iban' | 'sort_code'
  /** Where the money goes, sealed; null some time after it has ended. */
  details_encrypted: Buffer | null
  /** The account's last four characters, by which its holder knows it. */
  ends_with: string
  status: Generated<WithdrawalStatus>
  /** Why it was refused. */
  reason: string | null
  /** What the operator called the transfer at the bank. */
  reference: string | null
  created_at: ColumnType<Date, Date | undefined, never>
  /** Someone else may have requested it, and it stood in a file for the bank: taken out of it, it is refused. */
  recalled_at: Date | null
  ended_at: Date | null
}

/** One movement between two accounts of a partner; rows are only ever added. */
export type LedgerTransfersTable = {
  id: ColumnType<string, never, never>
  partner_id: string
  currency: CurrencyCode
  kind: LedgerKind
  from_account: LedgerAccount
  to_account: LedgerAccount
  amount_minor: number
  payment_id: ColumnType<string | null, string | undefined, never>
  withdrawal_id: ColumnType<string | null, string | undefined, never>
  created_at: ColumnType<Date, never, never>
}

/** What a partner's transfers come to; kept by the database, and never negative. */
export type PartnerBalancesTable = {
  partner_id: string
  currency: CurrencyCode
  pending_minor: ColumnType<string, never, never>
  available_minor: ColumnType<string, never, never>
  requested_minor: ColumnType<string, never, never>
  paid_minor: ColumnType<string, never, never>
}

/** Whom a partner's documents are to, as they said; with the account it goes. */
export type PartnerBillingTable = {
  partner_id: string
  name: string
  /** In lines. */
  address: string
  /** With its country's prefix. */
  vat_number: string | null
  /** When they agreed to self-billing. */
  agreed_at: Date | null
}

/** All that is printed of a commission that was paid, as it was then. */
export type CommissionSnapshot = TaxedSums & {
  kind: CommissionKind
  issuer: Issuer
  partner: Buyer & { vatNumber?: string }
  paidAt: string
  reference?: string
  currency: CurrencyCode
  vatRate: number
  /** Left out where it was paid in pounds, and where there was no rate yet. */
  sterling?: SterlingSums
}

/** One for each withdrawal that was paid, in a series of its own. */
export type CommissionDocumentsTable = {
  withdrawal_id: string
  /** Of the payment, in London. */
  year: number
  number: number
  issued_at: ColumnType<Date, never, never>
  snapshot: JSONColumnType<CommissionSnapshot, string, never>
}

export type PartnershipTables = {
  partners: PartnersTable
  earnings: EarningsTable
  withdrawals: WithdrawalsTable
  ledger_transfers: LedgerTransfersTable
  partner_balances: PartnerBalancesTable
  partner_billing: PartnerBillingTable
  commission_documents: CommissionDocumentsTable
  commission_counters: InvoiceCountersTable
  commission_gaps: InvoiceGapsTable
}

export type EarningRow = Selectable<EarningsTable>
export type WithdrawalRow = Selectable<WithdrawalsTable>
