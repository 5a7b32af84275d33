import { describe, expect, test } from 'vitest'
import type { PaymentFacts } from '#desk/payments/payment-facts.queries.ts'
import { comparePayment } from '#desk/reconciliation/compare-payment.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'
import type { RefundRow } from '#money/refunds/refunds.queries.ts'

const NOW = new Date('2026-11-21T14:05:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)
const ID = '4a5f0c9be2d04f7f8c8e0f5a2b6d1c77'

const paid: PaymentFacts = {
  id: ID,
  order_id: '7d0e4b52-52a5-4c9b-9df0-6a1f5a4bd6a0',
  customer_id: 'd3b6f1c4-8f1a-4a53-9a10-0f3a9c1f7b11',
  method: 'card',
  gateway: 'gate',
  gateway_ref: null,
  amount_minor: 3000,
  currency: 'EUR',
  promocode: null,
  price_minor: 3000,
  charged_minor: 3000,
  charged_currency: 'EUR',
  received_minor: null,
  over_minor: null,
  coins: null,
  over_settled_at: null,
  received_currency: null,
  rate_micro: null,
  disputed_minor: 0,
  ended_by_dispute_at: null,
  refunded_minor: 0,
  status: 'Success',
  gate_code: '0',
  gate_request_id: null,
  gate_status: 'success',
  created_at: ago(3_600),
  ended_at: ago(3_590),
  delivered_at: ago(3_590),
  refund_due: false,
  cancelled_at: null,
  cancelled_minor: null,
  is_unknown: false,
  is_invoiced: true,
  operation_id: null,
  next_check_at: null,
  order_status: 'Completed',
  days: 30,
  connections: 3,
  plan_name: null,
  plan_period: null,
  invoice_year: 2026,
  invoice_number: 42,
  invoice_issued_at: null,
  renew: [],
  active_connections: '3',
  now: NOW,
}

const success: PaymentUpdate = {
  paymentId: ID,
  status: 'Success',
  gateStatus: 'success',
  amountMinor: 3000,
  currency: 'EUR',
  paid: { amount: 3000, currency: 'EUR' },
  nextAction: undefined,
  at: ago(3_590),
  requestId: 'r',
  code: '0',
  authCode: undefined,
  eci: undefined,
  panMasked: undefined,
  cardHolder: undefined,
  isGivenBack: false,
  method: 'card',
  customerId: undefined,
  isRefundOnly: false,
  refunds: [],
}

const waiting: Partial<PaymentFacts> = {
  status: 'processing',
  ended_at: null,
  delivered_at: null,
  is_invoiced: false,
}

const aRefund = (more: Partial<RefundRow> = {}): RefundRow => ({
  id: '0d6f1e9c-5a53-4d0c-8f0c-1b6f7c2a9e55',
  payment_id: ID,
  amount_minor: 1050,
  reason: 'operator',
  is_by_hand: false,
  asked_at: null,
  claim_url: null,
  claimed_at: null,
  is_noted: false,
  noted_before_minor: null,
  closed_at: null,
  reversed_at: null,

  status: 'Success',
  gate_request_id: null,
  gate_operation_id: '7',
  gate_code: null,
  created_at: ago(600),
  ended_at: ago(590),
  ...more,
})

const received: Partial<PaymentFacts> = {
  status: 'Error',
  received_minor: 1200,
  received_currency: 'EUR',
  refund_due: true,
  delivered_at: null,
  is_invoiced: false,
}

const returned = aRefund({ amount_minor: 1200, status: 'Pending', reason: 'other-sum' })

const given = (more: Partial<PaymentUpdate['refunds'][number]> = {}) =>
  ({
    operationId: '7',
    requestId: 'q',
    refundId: undefined,
    status: 'success',
    amountMinor: 1050,
    currency: 'EUR',
    code: '0',
    ...more,
  }) as PaymentUpdate['refunds'][number]

const whatDiffers = (
  row: Partial<PaymentFacts>,
  update: Partial<PaymentUpdate>,
  refunds: readonly RefundRow[] = [],
): string[] =>
  comparePayment({ ...paid, ...row }, refunds, { kind: 'found', update: { ...success, ...update } }).map(
    ({ what }) => what,
  )

describe('comparing a payment with the gateway', () => {
  test.each<[string, string[], Partial<PaymentFacts>, Partial<PaymentUpdate>, RefundRow[]?]>([
    ['the same on both sides', [], {}, {}],
    ['two steps of the same way', [], waiting, { status: 'awaiting 3ds result' }],
    ['an end that was told a moment ago', [], waiting, { at: ago(20) }],
    ['an end that was told long ago', ['status', 'success without delivery'], waiting, {}],
    [
      'an end that the gateway does not know',
      ['status'],
      { ...waiting, status: 'Decline' },
      { status: 'processing' },
    ],
    ['a success here alone', ['status', 'delivered without success'], {}, { status: 'Decline' }],
    ['another sum', ['sum'], {}, { amountMinor: 2999 }],
    ['another currency', ['currency'], {}, { currency: 'GBP' }],
    ['update without a sum', [], {}, { amountMinor: undefined, currency: undefined }],
    ['a paid order that waits', ['success without delivery'], { delivered_at: null }, {}],
    ['a paid order that waits, given back', [], { delivered_at: null, refunded_minor: 3000 }, {}],
    ['no invoice', ['invoice missing'], { is_invoiced: false }, {}],
    ['no invoice yet', [], { is_invoiced: false, ended_at: ago(5) }, {}],
    ['a refund on both sides', [], { refunded_minor: 1050 }, { refunds: [given()] }, [aRefund()]],
    ['a refund at the gateway alone', ['refunds'], {}, { refunds: [given()] }],
    ['a refund that failed there', [], {}, { refunds: [given({ status: 'decline' })] }],
    ['a refund here alone', ['refunds'], {}, {}, [aRefund()]],
    ['a refund by hand', [], { refunded_minor: 1050 }, {}, [aRefund({ is_by_hand: true })]],
    ['a refund of another currency', ['refunds'], {}, { refunds: [given({ currency: 'PLN' })] }, [aRefund()]],
    [
      'money due back on its way',
      [],
      { refund_due: true, delivered_at: null },
      {},
      [aRefund({ status: 'Pending', amount_minor: 3000 })],
    ],
    ['less paid than was asked for', ['sum'], {}, { paid: { amount: 1200, currency: 'EUR' } }],
    ['another currency paid', ['currency'], {}, { paid: { amount: 3000, currency: 'USD' } }],
    [
      'a part of the sum, not known here',
      ['status'],
      waiting,
      { status: 'Error', gateStatus: 'partially paid' },
    ],
    ['another sum that goes back', [], received, { paid: { amount: 1200, currency: 'EUR' } }, [returned]],
    ['another sum than that', ['sum'], received, { paid: { amount: 1300, currency: 'EUR' } }, [returned]],
    [
      'money due back, refused',
      [],
      { refund_due: true, delivered_at: null },
      {},
      [aRefund({ status: 'Decline' })],
    ],
    [
      'a paid order that waited, cancelled',
      [],
      { delivered_at: null, cancelled_at: ago(60), cancelled_minor: 3000 },
      {},
      [aRefund({ status: 'Pending' })],
    ],
    ['a cancellation that gives nothing back', [], { cancelled_at: ago(60), cancelled_minor: 0 }, {}],
    ['the answer for another payment', ['answer not readable'], {}, { paymentId: 'f'.repeat(32) }],
  ])('%s differs in %j', (_, differences, row, update, refunds) => {
    expect(whatDiffers(row, update, refunds)).toEqual(differences)
  })

  test.each<[string[], Partial<PaymentFacts>]>([
    [['status', 'delivered without success'], {}],
    [['status'], waiting],
    [[], { ...waiting, created_at: ago(60) }],
    [[], { ...waiting, status: 'Error' }],
  ])('one that the gateway never heard of differs in %j', (differences, row) => {
    const found = comparePayment({ ...paid, ...row }, [], { kind: 'unseen' })
    expect(found.map(({ what }) => what)).toEqual(differences)
  })
})
