import type { Stripe } from 'stripe'
import { ACCOUNT_CURRENCY, feeFor, inAccountCurrency, rateOf } from '#stripe/money.ts'
import { NO_EVIDENCE } from '#stripe/no-evidence.ts'
import {
  type Charge,
  type Dispute,
  type Endpoint,
  newId,
  nowInSeconds,
  type Payout,
  type Refund,
  TEST_MODE,
  type Transaction,
  type Warning,
} from '#stripe/object-types.ts'

const DAY_S = 86_400
const AVAILABLE_AFTER_S = 2 * DAY_S
const ANSWER_WITHIN_S = 9 * DAY_S

type Booked = {
  type: Stripe.BalanceTransaction.Type
  category: string
  /** In the sale's currency, signed. */
  amount: number
  currency: string
  source: string
  /** In the account's currency. */
  fee?: number
  isAvailable?: boolean
}

export const aTransaction = ({
  type,
  category,
  amount,
  currency,
  source,
  fee = 0,
  isAvailable,
}: Booked): Transaction => {
  const created = nowInSeconds()
  const { currency: accountCurrency, amount: gross } = inAccountCurrency(amount, currency)
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: gross,
    available_on: isAvailable ? created : created + AVAILABLE_AFTER_S,
    balance_type: 'payments',
    created,
    currency: accountCurrency,
    description: null,
    exchange_rate: currency === accountCurrency ? null : rateOf(currency),
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: accountCurrency,
              description: 'Processing fee',
              type: 'stripe_fee',
            },
          ],
    net: gross - fee,
    payout: null,
    reporting_category: category,
    source,
    status: isAvailable ? 'available' : 'pending',
    type,
  }
}

export const saleTransaction = (charge: Charge, isAvailable: boolean): Transaction => {
  const isCard = charge.payment_method_details?.type === 'card'
  return aTransaction({
    type: isCard ? 'charge' : 'payment',
    category: 'charge',
    amount: charge.amount,
    currency: charge.currency,
    source: charge.id,
    fee: feeFor(charge.amount, charge.currency),
    isAvailable,
  })
}

export const aRefund = (
  charge: Charge,
  amount: number,
  reason: string | null,
  map: Record<string, string>,
): Refund => ({
  id: newId(charge.id.startsWith('py') ? 'pyr' : 're'),
  object: 'refund',
  amount,
  balance_transaction: null,
  charge: charge.id,
  created: nowInSeconds(),
  currency: charge.currency,
  customer: null,
  customer_account: null,
  metadata: map,
  payment_intent: charge.payment_intent,
  payment_method: null,
  reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'pending',
  transfer_reversal: null,
})

export const presentAccount = (): Stripe.Account => ({
  id: 'acct_sandbox',
  object: 'account',
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'GB',
  created: 1_767_225_600,
  default_currency: ACCOUNT_CURRENCY,
  details_submitted: true,
  email: 'owner@example.org',
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
})

export const aDispute = (charge: Charge, reason: string, isInquiry: boolean): Dispute => ({
  id: newId('du'),
  object: 'dispute',
  amount: charge.amount - charge.amount_refunded,
  balance_transactions: [],
  charge: charge.id,
  created: nowInSeconds(),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: { ...NO_EVIDENCE, customer_email_address: charge.billing_details.email },
  evidence_details: {
    due_by: nowInSeconds() + ANSWER_WITHIN_S,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  },
  intended_submission_method: null,
  is_charge_refundable: isInquiry,
  ...TEST_MODE,
  metadata: {},
  network_reason_code: '10.4',
  payment_intent: charge.payment_intent,
  reason,
  status: isInquiry ? 'warning_needs_response' : 'needs_response',
})

export const aPayout = (amount: number, currency: string): Payout => ({
  id: newId('po'),
  object: 'payout',
  amount,
  application_fee: null,
  application_fee_amount: null,
  arrival_date: nowInSeconds(),
  automatic: true,
  balance_transaction: null,
  created: nowInSeconds(),
  currency,
  description: 'STRIPE PAYOUT',
  destination: 'ba_sandbox',
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  ...TEST_MODE,
  metadata: {},
  method: 'standard',
  original_payout: null,
  payout_method: null,
  reconciliation_status: 'in_progress',
  reversed_by: null,
  source_type: 'card',
  statement_descriptor: null,
  status: 'in_transit',
  trace_id: null,
  type: 'bank_account',
})

export const aWarning = (charge: Charge): Warning => ({
  id: newId('issfr'),
  object: 'radar.early_fraud_warning',
  actionable: true,
  charge: charge.id,
  created: nowInSeconds(),
  fraud_type: 'made_with_stolen_card',
  ...TEST_MODE,
  payment_intent: charge.payment_intent,
})

type NewEndpoint = {
  url: string
  enabled_events: string[]
  api_version?: string | undefined
  description?: string | undefined
}

export const anEndpoint = ({ url, enabled_events, api_version, description }: NewEndpoint): Endpoint => ({
  id: newId('we'),
  object: 'webhook_endpoint',
  api_version: api_version ?? null,
  application: null,
  created: nowInSeconds(),
  description: description ?? null,
  enabled_events,
  ...TEST_MODE,
  metadata: {},
  rolled: [],
  signingSecret: newId('whsec'),
  status: 'enabled',
  url,
})
