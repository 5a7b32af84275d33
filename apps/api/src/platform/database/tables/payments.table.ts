import type { Coin } from '@hedgerow/domain/coins'
import type { ChargedCurrency } from '@hedgerow/domain/exchange'
import type { GatewayName } from '@hedgerow/domain/gateways'
import type { CurrencyCode } from '@hedgerow/domain/money'
import type { NextAction } from '@hedgerow/domain/next-action'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import type { RefundStatus } from '@hedgerow/domain/refund-status'
import type { ReturnKind } from '@hedgerow/domain/returned-purchases'
import type { VatNumberStanding } from '@hedgerow/domain/vat'
import type { VelocityKind, VelocityPass } from '@hedgerow/domain/velocity-limits'
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely'

/** One attempt to pay an order. `id` is 128 random bits in hexadecimal, and the gateway's payment_id. */
export type PaymentsTable = {
  id: string
  order_id: string
  /** Null: the account was erased. */
  customer_id: string | null
  method: PaymentMethod
  /** Who carries it, for ever. */
  gateway: ColumnType<GatewayName, GatewayName | undefined, never>
  /** The gateway's own id for it, where that is not ours; null until it has told. */
  gateway_ref: string | null
  /** What of the order is paid: its price, less the promocode's discount. */
  amount_minor: number
  currency: CurrencyCode
  /** What the gateway is asked for: the same, but where the method settles in another currency. */
  charged_minor: number
  charged_currency: ChargedCurrency
  /** The rate between the two, in millionths, and when it was set. Null where they are the same. */
  rate_micro: number | null
  rated_at: Date | null
  /** Whom the sale is to, for its tax: the country that was chosen. Null under the scheme that asks for none. */
  vat_country: ColumnType<string | null, string | null | undefined, never>
  /** Of a business customer, with its country's prefix; how it stood then, and what VIES calls its answer. */
  vat_number: ColumnType<string | null, string | null | undefined, never>
  vat_number_standing: ColumnType<VatNumberStanding | null, VatNumberStanding | null | undefined, never>
  vat_number_consultation: ColumnType<string | null, string | null | undefined, never>
  /** The name and address that came with the number, in lines; and those that VIES has of its holder. */
  vat_name: ColumnType<string | null, string | null | undefined, never>
  vat_address: ColumnType<string | null, string | null | undefined, never>
  vies_name: ColumnType<string | null, string | null | undefined, never>
  vies_address: ColumnType<string | null, string | null | undefined, never>
  /** Of a number that VIES had not confirmed at the sale: what it said when asked again, and when it was asked last. */
  vies_late_answer: ColumnType<'valid' | 'invalid' | null, never, never>
  vies_asked_at: ColumnType<Date | null, never, never>
  /** Other evidence of where the customer is: the network's country, and that of the card or the bank. */
  network_country: ColumnType<string | null, string | null | undefined, never>
  bank_country: ColumnType<string | null, string | null | undefined, string | null>
  /** What has been given back of the charged sum, or of what came in its place. */
  refunded_minor: Generated<number>
  /** What open disputes hold of it: the gateway has taken it, and it is neither given back nor ours. */
  disputed_minor: Generated<number>
  /** What it bought ended then, because of a dispute. */
  ended_by_dispute_at: Date | null
  /** What it bought stays, although a dispute took the money back. */
  is_kept_in_dispute: Generated<boolean>
  status: Generated<PaymentStatus>
  next_action: JSONColumnType<NextAction | { kind: 'none' }, string | undefined, string>
  /** The key of the next action that was answered last: a late repeat of it is nothing new. */
  answered: string | null
  /** When an answer to an issuer's challenge was passed on; null before 2026-11 as well. */
  challenge_answered_at: Date | null
  /** The Electronic Commerce Indicator, as the gateway reports it. */
  eci: string | null
  /** As domain/cards names it; null where the card's number tells it, or nobody. */
  card_brand: string | null
  gate_request_id: string | null
  gate_code: string | null
  /** The gateway's own word for how it stands; null before it has reported. */
  gate_status: string | null
  /**
   * What came, where that was another sum or currency than was asked for: the payment has ended as an Error then, and all
   * of it goes back. Any currency there is. Null for all others.
   */
  received_minor: number | null
  received_currency: string | null
  /** What came beyond the sum that was asked for, in its currency: it is owed until the operator has settled it. */
  over_minor: number | null
  over_settled_at: Date | null
  /** What a payment in bitcoin came as, once it has come. */
  coins: ColumnType<Coin[] | null, never, string>
  /** First six and last four digits; nothing more of the number is kept. */
  pan_masked: string | null
  card_holder: string | null
  auth_code: string | null
  /** The gateway's own time of the update that this row shows. */
  gate_updated_at: Date | null
  /** How often the gateway was asked how it stands, and when to ask next. Null: nothing is left to ask. */
  checks: Generated<number>
  next_check_at: Date | null
  /** Null while it has not succeeded, or succeeded and waits for a free address. */
  delivered_at: Date | null
  /** Money came that can buy nothing: the order was paid already, the account is erased, or the sum is another. */
  refund_due: Generated<boolean>
  /** Of a purchase that is not known here, as after a restore: it only goes back, and counts as no sale. */
  is_unknown: Generated<boolean>
  /** Whether its order has got an invoice for it. */
  is_invoiced: Generated<boolean>
  /** The promocode that was on the order when the payment started. */
  promocode: string | null
  /** The terms (`terms.hash`) that were accepted when it started. Null: it was recorded without, as when it was adopted. */
  terms_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>
  /** The partner whom a success credits: the promocode's, else the customer's referrer. May be gone since. */
  partner_id: string | null
  /** Whether the partner has got what is theirs of it, which may be nothing. */
  is_credited: Generated<boolean>
  /** Why the partner got nothing of it: paid with a card of the partner's, or too small to count. */
  uncredited_because: UncreditedBecause | null
  /**
   * The card's number, as a keyed hash. Null where it was not typed at the shop, or the account is erased and no
   * earning waits for it.
   */
  card_hash: Buffer | null
  /** While an earning waits: one random id for all payments of an account that is erased, which leads to no person. */
  erased_account: string | null
  /** The network that it was paid from, as a keyed hash. Null once it is not needed. */
  network_hash: Buffer | null
  /** The networks around it, as keyed hashes, for what goes back (`CountedNetwork`). Kept as long. */
  networks: ColumnType<unknown, string | null | undefined, string | null>
  created_at: ColumnType<Date, Date | undefined, never>
  ended_at: Date | null
  /** When the customer left it for another attempt. It is followed to its end all the same. */
  abandoned_at: Date | null
  /** When the customer's page showed how it ended. */
  notified_at: Date | null
  /** When it was said that the purchase is cancelled, and what of the charged sum goes back for that. */
  cancelled_at: Date | null
  cancelled_minor: number | null
}

export type UncreditedBecause = 'own-card' | 'small-spend'

/** Attempts to pay that were declined, or have not ended, by something that they have in common (domain/velocity-limits). */
export type VelocityCountsTable = {
  /** Of what they have in common, a keyed hash. */
  key: Buffer
  /** 'pass': attempts of one account that a pause of an issuer or a network did not stop. */
  kind: VelocityKind | VelocityPass['kind']
  /** The latest attempts; what has become of them, and when they began, their payments tell. */
  payment_ids: string[]
  /** So many may there be, in so many minutes. The database refuses a row with more. */
  most: number
  minutes: number
  tried_at: Date
  /** The last attempt was let pass, though there were as many. */
  may_exceed: Generated<boolean>
  /** When the operator was mailed that no more are taken. */
  notified_at: Date | null
}

/** A purchase whose money went back without an operator, by one of the things that it was bought with. */
export type ReturnedPurchasesTable = {
  kind: ReturnKind
  /** The account's id, or the keyed hash of the card or the network, as its payment has it. */
  key: Buffer
  /** Or `LET_BUY`. */
  payment_id: string
  /** Of a larger network: it may have so many times as many. */
  times: Generated<number>
  returned_at: ColumnType<Date, never, never>
}

/** Why money goes back. */
export type RefundReason =
  | 'operator'
  | 'paid-twice'
  | 'account-erased'
  | 'other-sum'
  | 'at-the-gateway'
  | 'cancelled'
  | 'dispute'

/** Money given back, in whole or in part. `id` without its dashes is the gateway's merchant_refund_id. */
export type RefundsTable = {
  id: string
  payment_id: string
  /** In the currency that was charged, or that came in its place. */
  amount_minor: number
  reason: RefundReason
  /** The gateway cannot do it for this method: the operator sends the money back. */
  is_by_hand: Generated<boolean>
  status: Generated<RefundStatus>
  gate_request_id: string | null
  gate_operation_id: string | null
  gate_code: string | null
  /** When a gateway that has no key for repeats was last asked to make it. */
  asked_at: Date | null
  /** Where the customer has to say where it is to go. Null: nowhere, or not yet. */
  claim_url: string | null
  /** Since when what the customer said waits for the operator. */
  claimed_at: Date | null
  created_at: Generated<Date>
  ended_at: Date | null
  /** Of a refusal: nothing is owed for it any more. It was asked for again, went back otherwise, or was dropped. */
  closed_at: Date | null
  /** What it means to the books is settled: it has its credit note, or wants none. */
  is_noted: Generated<boolean>
  /** What had gone back of the payment in refunds that were settled so before: there its share of the invoice begins. Null until then. */
  noted_before_minor: ColumnType<number | null, number | null | undefined, number>
}

/** A purchase of a plan: the id that its page made, unique to the customer, and the attempt to pay that it leads to. */
export type PurchasesTable = { customer_id: string; id: string; payment_id: string }

/** What a currency is worth in PLN, as the operator set it; the latest counts. */
export type RatesTable = { currency: CurrencyCode; set_at: Generated<Date>; rate_micro: number }

/** What the gateway reported, signed, of a payment that is not here: one that was started after the backup that was restored. */
export type UnknownPaymentsTable = {
  payment_id: string
  gateway: Generated<GatewayName>
  /** The gateway's own id of it, where it has one. */
  gateway_ref: string | null
  /** Null: one that the shop does not sell by. */
  method: PaymentMethod | null
  status: PaymentStatus
  /** As bigint, which comes as text. Null where the gateway named no sum. */
  amount_minor: ColumnType<string | null, number | null, never>
  currency: string | null
  pan_masked: string | null
  /** Who paid, as the shop had told the gateway: the account's id. */
  gate_customer_id: string | null
  /** All of it went back at the gateway. */
  is_given_back: Generated<boolean>
  first_told_at: Generated<Date>
  last_told_at: Generated<Date>
}

/** Each time that the shop learnt something of a payment. The database writes it with the payment. */
export type PaymentStepsTable = {
  id: Generated<string>
  payment_id: string
  at: Generated<Date>
  status: PaymentStatus
  gate_status: string | null
  gate_code: string | null
}

export type PaymentsTables = {
  payments: PaymentsTable
  payment_steps: PaymentStepsTable
  purchases: PurchasesTable
  unknown_payments: UnknownPaymentsTable
  refunds: RefundsTable
  rates: RatesTable
  velocity_counts: VelocityCountsTable
  returned_purchases: ReturnedPurchasesTable
}

export type PaymentRow = Selectable<PaymentsTable>
