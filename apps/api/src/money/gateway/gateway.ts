import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'

/** What a call that the gateway works on later was answered. */
export type Acceptance =
  | { kind: 'accepted'; requestId: string | undefined }
  /** The gateway will not do it; nothing was started. */
  | { kind: 'refused'; code: string; message: string }
  /** No answer, a fault of theirs, or a payment that is known to them already or not yet: only the status can tell. */
  | { kind: 'unknown'; reason: string }

export type StatusAnswer =
  | { kind: 'found'; update: PaymentUpdate }
  /** It knows the payment, and what it says of it is in no form that is known here. */
  | { kind: 'unreadable' }
  /** The gateway has never heard of the payment, or not yet. */
  | { kind: 'unseen' }
  /** `isSilent`: nothing came back, or a fault of theirs. */
  | { kind: 'unknown'; reason: string; isSilent: boolean }

/** The card, as it passes through. Nothing may keep, log or print one. */
export type Card = { pan: string; card_holder: string; month: number; year: number; cvv: string }

/** How it is paid, and what the method needs besides. */
type SaleDetails = {
  card: { card: Card }
  open_banking: { country: string; bankId: string }
  blik: object
}
export type SaleMethod = { [M in PaymentMethod]: { method: M } & SaleDetails[M] }[PaymentMethod]

export type Sale = {
  paymentId: string
  amountMinor: number
  currency: string
  description: string
  saleMethod: SaleMethod
  /** The payer as the gateway wants to know them. */
  customer: Record<string, string | number | boolean | undefined>
  /** Our page to return to when the customer cancels. */
  cancelPath: string
}

/** What a page of the gateway's is to offer: cards alone, or the banks, of which the customer chooses one. */
export type HostedMethod = 'card' | 'open_banking'

export type PageSale = Omit<Sale, 'saleMethod'> & { method: HostedMethod }

export type Refund = {
  paymentId: string
  method: PaymentMethod
  refundId: string
  description: string
  /** Left out: all of it. */
  part: { amountMinor: number; currency: string } | undefined
}

/** Hears of a call that was not answered: the line, the name or the certificate was wrong, or it took too long. */
export type OnSilence = (path: string, error: unknown) => void

/** Whoever carries payments. It never throws: an unclear outcome is 'unknown'. */
export type Gateway = {
  sale: (sale: Sale) => Promise<Acceptance>
  /** What the issuer's page sent: PaRes and MD, or cres. */
  challengeResult: (
    paymentId: string,
    result: { pares: string; md: string } | { cres: string },
  ) => Promise<Acceptance>
  /** Whether the issuer's server has looked at the browser within its time (extended 3-D Secure flow). */
  methodDone: (paymentId: string, isDone: boolean) => Promise<Acceptance>
  clarify: (paymentId: string, additionalData: object) => Promise<Acceptance>
  /** Asks for a code to be sent; with a code, confirms with it. */
  authorise: (paymentId: string, code: string | undefined) => Promise<Acceptance>
  refund: (refund: Refund) => Promise<Acceptance>
  /** The banks of a country as the gateway lists them; undefined when it does not answer. */
  banks: (country: string, currency: string) => Promise<unknown>
  status: (paymentId: string) => Promise<StatusAnswer>
}

export type GatewayDependencies = Readonly<{ gateway: Gateway }>
