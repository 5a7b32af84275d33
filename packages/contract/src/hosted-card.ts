import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { acceptTerms, CurrencyInput, locationChoice, Total, Uuid } from './fields.ts'
import { PaymentId, payByCard, payPlanByCard, planPromocode, planRenewal, purchaseId } from './payments.ts'
import { saleTo } from './vat-fields.ts'

/** What the customer still says here where the card itself is typed on the gateway's page. */
export const HostedCardForm = z.object({ acceptTerms })

/** The attempt under way that the customer has left, to pay anew. */
const instead = z.optional(PaymentId)

export const PayByHostedCardRequest = z.object({
  total: Total,
  currency: CurrencyInput,
  acceptTerms,
  instead,
  ...saleTo,
})
export type PayByHostedCardRequest = z.infer<typeof PayByHostedCardRequest>

/** Stands in the place of `payByCard`: no card comes near us. */
export const payByHostedCard = endpoint({
  ...payByCard,
  summary: 'Pay an order by card, on a page of the payment system',
  schema: { ...payByCard.schema, body: PayByHostedCardRequest },
})

export const PayPlanByHostedCardRequest = z.object({
  id: Uuid,
  purchaseId,
  acceptTerms,
  instead,
  ...planPromocode,
  ...planRenewal,
  ...locationChoice,
  ...saleTo,
})
export type PayPlanByHostedCardRequest = z.infer<typeof PayPlanByHostedCardRequest>

/** Stands in the place of `payPlanByCard`. */
export const payPlanByHostedCard = endpoint({
  ...payPlanByCard,
  summary: 'Buy a price plan by card, on a page of the payment system',
  schema: { ...payPlanByCard.schema, body: PayPlanByHostedCardRequest },
})
