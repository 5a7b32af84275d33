import { randomBytes } from 'node:crypto'
import type { InvoiceParams, PAYMENT_METHODS, SPEEDS } from '#btcpay/shapes.ts'

export const newId = (): string => randomBytes(12).toString('base64url')
export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000)

export type Method = (typeof PAYMENT_METHODS)[number]
/** A transaction of the chain, or a payment over Lightning; a replaced one is invalid. */
export type Payment = {
  id: string
  method: Method
  minor: number
  receivedDate: number
  confirmations: number
  status: 'Processing' | 'Settled' | 'Invalid'
}

export type Invoice = {
  id: string
  amount: string
  currency: string
  metadata: InvoiceParams['metadata']
  checkout: {
    speedPolicy: keyof typeof SPEEDS
    expirationMinutes: number
    monitoringMinutes: number
    paymentTolerance: number
    paymentMethods: readonly Method[]
    redirectURL: string | null
    redirectAutomatically: boolean
    defaultLanguage: string | null
  }
  createdTime: number
  expirationTime: number
  monitoringExpiration: number
  status: 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
  additionalStatus: 'None' | 'PaidPartial' | 'PaidOver' | 'PaidLate' | 'Marked' | 'Invalid'
  payments: Payment[]
  archived: boolean
}

/** A promise: whoever has the link may ask for the money, and somebody's wallet has to send it. */
export type PullPayment = {
  id: string
  name: string
  description: string
  currency: string
  amount: string
  autoApproveClaims: boolean
  archived: boolean
}

export type State = 'AwaitingApproval' | 'AwaitingPayment' | 'InProgress' | 'Completed' | 'Cancelled'

export type Payout = {
  id: string
  revision: number
  pullPaymentId: string
  date: number
  destination: string
  originalCurrency: string
  originalAmount: string
  payoutCurrency: 'BTC'
  payoutAmount: string | null
  payoutMethodId: 'BTC-CHAIN'
  state: State
  paymentProof: { proofType: string; id: string } | null
  metadata: object
}

export type Webhook = {
  id: string
  enabled: boolean
  automaticRedelivery: boolean
  url: string
  authorizedEvents: { everything: boolean; specificEvents: string[] }
  secret: string
}

export type Said = { type: string; timestamp: number; storeId: string }
/** The event as it goes out; every delivery has its own, with the id of the first. */
export type WebhookEvent = Said & {
  deliveryId: string
  webhookId: string
  originalDeliveryId: string
  isRedelivery: boolean
}
export type Delivery = { id: string; event: WebhookEvent; sentAt: number; httpCode: number | null }
