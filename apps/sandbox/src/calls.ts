import { blikSale } from '#blik/blik-sale.ts'
import { card3dsCheckIframe } from '#card/card-3ds-check-iframe.ts'
import { card3dsResult } from '#card/card-3ds-result.ts'
import { cardMerchantAuth } from '#card/card-merchant-auth.ts'
import { cardSale } from '#card/card-sale.ts'
import { bankListOf } from '#open-banking/bank-list.ts'
import { bankRefundIn, bankSaleIn } from '#open-banking/bank-sale.ts'
import { COUNTRIES } from '#open-banking/banks.ts'
import { clarification } from '#v2/clarification.ts'
import type { GateCall } from '#v2/gate-call.ts'
import { paymentStatus } from '#v2/payment-status.ts'
import { refundBy } from '#v2/refund-call.ts'

/** Everything that the gateway can be called for. A new payment method adds its calls here. */
export const CALLS = [
  cardSale,
  card3dsResult,
  card3dsCheckIframe,
  cardMerchantAuth,
  refundBy('card'),
  blikSale,
  refundBy('blik'),
  ...COUNTRIES.flatMap((country) => [bankListOf(country), bankSaleIn(country), bankRefundIn(country)]),
  clarification,
  paymentStatus,
] as GateCall[]
