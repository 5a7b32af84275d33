import { GATEWAY_TITLES, type GatewayName } from '@hedgerow/domain/gateways'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { SharedChargeback } from '#money/gateway/chargeback.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'

/** A payment by our id for it, which is the Gate's too; and the gateway's own, where it has one. */
export type PaymentRef = { id: string; ref: string | null }

/** What a call that the gateway works on later was answered. */
export type Acceptance =
  /** `claimUrl`: where the customer has to claim the money; left out: it goes by itself. */
  | { kind: 'accepted'; requestId: string | undefined; claimUrl?: string }
  /** The gateway will not do it; nothing was started. */
  | { kind: 'refused'; code: string; message: string }
  /** No answer, a fault of theirs, or a payment that is known to them already or not yet: only the status can tell. */
  | { kind: 'unknown'; reason: string }

export type StatusAnswer =
  /** `isForeign`: its page leads back to another shop than this. */
  | { kind: 'found'; update: PaymentUpdate; isForeign?: boolean }
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
export type SaleMethod = { [M in keyof SaleDetails]: { method: M } & SaleDetails[M] }[keyof SaleDetails]

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

/** What a page of the gateway's is to offer: cards alone, the banks, of which the customer chooses one, or an address to pay to. */
export type HostedMethod = 'card' | 'open_banking' | 'crypto'

export type PageSale = Omit<Sale, 'saleMethod'> & { method: HostedMethod }

export type Refund = {
  payment: PaymentRef
  method: PaymentMethod
  refundId: string
  description: string
  amountMinor: number
  currency: string
  /** All of it is meant, whatever that is by now. */
  isWhole: boolean
}

/** A refund at a gateway where the customer claims it. */
export type Claim = {
  ref: string
  /** Where the customer says where it is to go. */
  url: string
  /** It was taken back, and can be claimed no more. */
  isClosed: boolean
  /** Something is claimed, and waits for the shop's owner. */
  isWaiting: boolean
  /** Something is being paid. */
  isMoving: boolean
  sentMinor: number
}

export type ClaimAnswer =
  | { kind: 'found'; claim: Claim }
  | Exclude<StatusAnswer, { kind: 'found' }>
  | { kind: 'refused'; code: string; message: string }

/** Hears of a call that was not answered: the line, the name or the certificate was wrong, or it took too long. */
export type OnSilence = (path: string, error: unknown) => void

/** So long a page of the gateway's is open. An attempt that the gateway has not seen by then never will be. */
export const PAGE_OPEN_S = 30 * 60

export type PageAnswer =
  | { kind: 'page'; url: string; ref: string | null }
  | Exclude<Acceptance, { kind: 'accepted' }>

/** Whoever carries payments. It never throws: an unclear outcome is 'unknown'. */
export type Gateway = {
  /** The address of a page of theirs where this sale is paid. */
  page: (sale: PageSale, now: Date) => Promise<PageAnswer>
  status: (payment: PaymentRef) => Promise<StatusAnswer>
  refund: (refund: Refund) => Promise<Acceptance>
  /** Has nobody pay on its page from now on. Left out: it cannot be closed. */
  close?: (payment: PaymentRef) => Promise<Acceptance>
  /** Those that were paid on pages of this shop's since; undefined where it does not answer. Left out: it cannot list them. */
  paidSince?: (since: Date) => Promise<PaymentRef[] | undefined>
  /** Where refunds are claimed: how one stands, by our id; and the gateway's own, where it is known. */
  claim?: (refund: PaymentRef & { currency: string }) => Promise<ClaimAnswer>
  /** Takes one back, and what of it was claimed and not paid yet. */
  dropClaim?: (ref: string) => Promise<Acceptance>
  /** All that were opened since; undefined where it does not answer. Left out: it has none, or tells of them otherwise. */
  chargebacks?: (since: Date) => Promise<SharedChargeback[] | undefined>
}

/** One that is told what the customer typed on pages of ours, and asks the customer through them. */
export type DirectGateway = Gateway & {
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
  /** The banks of a country as the gateway lists them; undefined when it does not answer. */
  banks: (country: string, currency: string) => Promise<unknown>
}

/** Where customers come back to from a gateway's page. */
export const resultPageOf = (publicUrl: string, paymentId: string): string =>
  `${publicUrl}/payment/result/${paymentId}?returned`

/** Those that the shop has the keys of. */
export type Gateways = Readonly<{
  gate: DirectGateway
  stripe?: Gateway | undefined
  btcpay?: Gateway | undefined
}>

export type GatewayDependencies = Readonly<{ gateways: Gateways }>

const NOT_SET = { kind: 'unknown', reason: 'its keys are not set', isSilent: false } as const
/** Stands for a gateway whose keys are not set: it answers nothing. */
export const WITHOUT_KEYS: DirectGateway = {
  page: async () => NOT_SET,
  status: async () => NOT_SET,
  refund: async () => NOT_SET,
  sale: async () => NOT_SET,
  challengeResult: async () => NOT_SET,
  methodDone: async () => NOT_SET,
  clarify: async () => NOT_SET,
  authorise: async () => NOT_SET,
  banks: async () => undefined,
}

/** What of a payment's row says whom to ask about it. */
export type Carried = { id: string; gateway: GatewayName; gateway_ref: string | null }

export const refOf = ({ id, gateway_ref }: Carried): PaymentRef => ({ id, ref: gateway_ref })

/** The gateway of a payment. One whose keys were taken away answers nothing. */
export const gatewayOf = (gateways: Gateways, name: GatewayName): Gateway => gateways[name] ?? WITHOUT_KEYS

/** How the error of a job begins that the gateway did not answer. The Gate's is as old as the shop. */
export const notTaken = (name: GatewayName): string =>
  `${name === 'gate' ? 'the gateway' : GATEWAY_TITLES[name]} did not take`

/** How such errors read where nothing came back at all, as PostgreSQL matches them. An older version of the shop wrote TypeError. */
export const silentErrors = (name: GatewayName): string =>
  `^${notTaken(name)} .*: (Unreachable|TypeError|TimeoutError)$`
