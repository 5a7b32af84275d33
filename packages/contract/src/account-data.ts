import { COMMISSION_KINDS } from '@hedgerow/domain/commissions'
import { DISPUTE_STATUSES } from '@hedgerow/domain/dispute-status'
import { VAT_TREATMENTS } from '@hedgerow/domain/vat'
import * as z from 'zod/mini'
import { Profile } from './accounts.ts'
import { Connection } from './connections.ts'
import { Conversation } from './conversations.ts'
import { Instant } from './fields.ts'
import { Order } from './orders.ts'
import { PartnerBilling, Partnership, StatementEntry, Withdrawal } from './partnership.ts'

const MaybeInstant = z.nullable(Instant)

/** Null: it buys a plan that never ends, or no plan. */
const OrderData = z.extend(Order, {
  days: z.nullable(z.int()),
  plan: z.nullable(z.string()),
  period: z.nullable(z.string()),
})
export type OrderData = z.infer<typeof OrderData>

/** A payment with all that was noted of it. */
const PaymentData = z.object({
  paymentId: z.string(),
  /** The purchase of a plan that leads to it, by the id that the page made. */
  purchaseId: z.nullable(z.string()),
  orderId: z.string(),
  method: z.string(),
  /** Who carried it, and their own id for it. */
  gateway: z.string(),
  gatewayRef: z.nullable(z.string()),
  amount: z.number(),
  currency: z.string(),
  /** The promocode that it was started with. What that took off stands with the order that it paid. */
  promocode: z.nullable(z.string()),
  /** What was paid, where the method settles in another currency, and the rate in millionths. */
  charged: z.number(),
  chargedCurrency: z.string(),
  rateMicro: z.nullable(z.int()),
  ratedAt: MaybeInstant,
  /** For the tax: the country that was chosen, a business's VAT number and how it stood, and other signs of the country. */
  vatCountry: z.nullable(z.string()),
  vatNumber: z.nullable(z.string()),
  vatNumberStanding: z.nullable(z.string()),
  vatNumberConsultation: z.nullable(z.string()),
  /** The name and address that came with the number, and those that VIES has of its holder. */
  vatName: z.nullable(z.string()),
  vatAddress: z.nullable(z.string()),
  viesName: z.nullable(z.string()),
  viesAddress: z.nullable(z.string()),
  /** What VIES said of the number when it was asked again. */
  viesLateAnswer: z.nullable(z.string()),
  networkCountry: z.nullable(z.string()),
  bankCountry: z.nullable(z.string()),
  /** What came, where that was another sum than was asked for; then that is what goes back. */
  received: z.nullable(z.number()),
  receivedCurrency: z.nullable(z.string()),
  /** What came beyond the sum that was asked for; and when that was settled. */
  over: z.nullable(z.number()),
  overSettledAt: MaybeInstant,
  /** What a payment in bitcoin came as. */
  coins: z.nullable(
    z.array(z.object({ way: z.string(), value: z.string(), rate: z.string(), id: z.string() })),
  ),
  refunded: z.number(),
  status: z.string(),
  pan: z.nullable(z.string()),
  /** Where the card's number does not tell it. */
  cardBrand: z.nullable(z.string()),
  cardHolder: z.nullable(z.string()),
  authCode: z.nullable(z.string()),
  /** Where the bank or the payment system wants the customer to go, and with what. */
  nextAction: z.looseObject({ kind: z.string() }),
  /** Which question of the bank was answered. */
  answered: z.nullable(z.string()),
  challengeAnsweredAt: MaybeInstant,
  /** How far the card holder was authenticated, as the card's scheme writes it. */
  eci: z.nullable(z.string()),
  /** The gateway's own references: of its request, and why it ended so. */
  gateRequestId: z.nullable(z.string()),
  gateCode: z.nullable(z.string()),
  /** The gateway's own word for how it stands. */
  gateStatus: z.nullable(z.string()),
  gateUpdatedAt: MaybeInstant,
  /** How often the gateway was asked, and when it is asked next. */
  checks: z.int(),
  nextCheckAt: MaybeInstant,
  deliveredAt: MaybeInstant,
  refundDue: z.boolean(),
  createdAt: Instant,
  endedAt: MaybeInstant,
  /** When it was left for another attempt, and when the page told how it ended. */
  abandonedAt: MaybeInstant,
  notifiedAt: MaybeInstant,
  /** When it was cancelled, and what goes back for that. */
  cancelledAt: MaybeInstant,
  cancelled: z.nullable(z.number()),
  /** What open disputes hold of it; when what it bought ended because of one, or that it stays all the same. */
  disputed: z.number(),
  endedByDisputeAt: MaybeInstant,
  isKeptInDispute: z.boolean(),
  /** How it came to where it is, the oldest step first. */
  steps: z.array(
    z.object({
      at: Instant,
      status: z.string(),
      gateStatus: z.nullable(z.string()),
      gateCode: z.nullable(z.string()),
    }),
  ),
  refunds: z.array(
    z.object({
      refundId: z.string(),
      amount: z.number(),
      reason: z.string(),
      isByHand: z.boolean(),
      status: z.string(),
      gateRequestId: z.nullable(z.string()),
      gateOperationId: z.nullable(z.string()),
      gateCode: z.nullable(z.string()),
      askedAt: MaybeInstant,
      /** Of one that its customer has to claim: where, and since when that waits to be sent. */
      claimUrl: z.nullable(z.string()),
      claimedAt: MaybeInstant,
      createdAt: Instant,
      endedAt: MaybeInstant,
      /** Of one that was refused: since when nothing is owed for it. */
      closedAt: MaybeInstant,
    }),
  ),
})
export type PaymentData = z.infer<typeof PaymentData>

/** A chargeback: its money was taken at once, and what became of that. */
const DisputeData = z.object({
  disputeId: z.string(),
  paymentId: z.string(),
  amount: z.number(),
  currency: z.string(),
  /** The card network's code, and what kind of reason that is. */
  reason: z.nullable(z.string()),
  reasonGroup: z.nullable(z.string()),
  gateId: z.nullable(z.string()),
  gateStatus: z.nullable(z.string()),
  status: z.enum(DISPUTE_STATUSES),
  phase: z.int(),
  openedAt: Instant,
  respondBy: Instant,
  answeredAt: MaybeInstant,
  endedAt: MaybeInstant,
  connectionsEnded: z.boolean(),
  vat: z.nullable(z.string()),
  refundId: z.nullable(z.string()),
  /** When it was decided for us after all. */
  reversedAt: MaybeInstant,
})

/** What the gateway reported of a payment that the shop does not know, as after a restore. */
const UnknownPaymentData = z.object({
  paymentId: z.string(),
  /** Who carried it, and their own id of it. */
  gateway: z.string(),
  gatewayRef: z.nullable(z.string()),
  method: z.nullable(z.string()),
  status: z.string(),
  amount: z.nullable(z.number()),
  currency: z.nullable(z.string()),
  pan: z.nullable(z.string()),
  isGivenBack: z.boolean(),
  firstToldAt: Instant,
  lastToldAt: Instant,
})

/** What an invoice and its credit notes say of the tax. What older ones did not keep is left out. */
const TaxData = {
  /** As the profile was when the invoice was issued. */
  buyer: z.optional(z.object({ name: z.string(), address: z.array(z.string()) })),
  taxedAs: z.optional(
    z.object({
      treatment: z.enum(VAT_TREATMENTS),
      country: z.nullable(z.string()),
      number: z.optional(z.string()),
      numberStanding: z.optional(z.string()),
      consultation: z.optional(z.string()),
      /** Countries: chosen, of the card or the bank, of the network. */
      evidence: z.optional(
        z.object({ chosen: z.string(), bank: z.nullable(z.string()), network: z.nullable(z.string()) }),
      ),
    }),
  ),
  /** In pounds, at so many millionths of the currency for a pound. */
  sterling: z.optional(
    z.object({
      net: z.number(),
      vat: z.number(),
      total: z.number(),
      rateMicro: z.int(),
      rateDay: z.string(),
    }),
  ),
  /** In the currency that was charged, at so many millionths of it. */
  charged: z.optional(
    z.object({ total: z.number(), currency: z.string(), rateMicro: z.int(), ratedAt: Instant }),
  ),
}

/** An invoice of ours, as it was issued. */
const InvoiceData = z.object({
  ...TaxData,
  orderId: z.string(),
  number: z.string(),
  issuedAt: Instant,
  paidAt: Instant,
  description: z.string(),
  details: z.string(),
  method: z.string(),
  pan: z.string(),
  cardHolder: z.string(),
  authCode: z.string(),
  currency: z.string(),
  net: z.number(),
  vat: z.number(),
  vatRate: z.number(),
  /** There where a promocode took something off. */
  promocode: z.optional(z.string()),
  price: z.optional(z.number()),
  discount: z.optional(z.number()),
  total: z.number(),
  issuer: z.looseObject({ name: z.string() }),
})
export type InvoiceData = z.infer<typeof InvoiceData>

/** What a refund took off an invoice, as it was issued. */
const CreditNoteData = z.object({
  ...TaxData,
  /** Null: of a correction, which moved no money. */
  refundId: z.nullable(z.string()),
  paymentId: z.string(),
  number: z.string(),
  invoiceNumber: z.string(),
  issuedAt: Instant,
  refundedAt: Instant,
  reason: z.string(),
  description: z.string(),
  details: z.string(),
  method: z.string(),
  pan: z.string(),
  currency: z.string(),
  net: z.number(),
  vat: z.number(),
  vatRate: z.number(),
  total: z.number(),
  issuer: z.looseObject({ name: z.string() }),
})
export type CreditNoteData = z.infer<typeof CreditNoteData>

/** What a partner was paid for, as it was issued. */
const CommissionData = z.object({
  ...z.pick(z.object(TaxData), { sterling: true }).shape,
  withdrawalId: z.string(),
  number: z.string(),
  issuedAt: Instant,
  kind: z.enum(COMMISSION_KINDS),
  partner: z.object({ name: z.string(), address: z.array(z.string()), vatNumber: z.optional(z.string()) }),
  paidAt: Instant,
  reference: z.optional(z.string()),
  currency: z.string(),
  net: z.number(),
  vat: z.number(),
  vatRate: z.number(),
  total: z.number(),
  issuer: z.looseObject({ name: z.string() }),
})
export type CommissionData = z.infer<typeof CommissionData>

const ConnectionData = z.extend(Connection, {
  /** Null: it was brought from another panel, and never paid for here. */
  paymentId: z.nullable(z.string()),
  /** Where it ended when it was brought. */
  broughtUntil: MaybeInstant,
  clientPublicKey: z.string(),
  /** The last reminder of its end that was sent, by how many days before. */
  remindedDays: z.nullable(z.int()),
  /** When the operator has ended it. */
  endedByHand: z.array(Instant),
  /** When a mail last told of a link that shows it. */
  linkMailedAt: MaybeInstant,
  /** The same of an address of its file. */
  fileAddressMailedAt: MaybeInstant,
  /** The day of renewed keys that a mail told of before, when one told of them after, and when one said that they were not used. */
  keysToldOn: z.nullable(z.string()),
  keysMailedAt: MaybeInstant,
  keysRemindedAt: MaybeInstant,
  createdAt: Instant,
  /** What its nodes know of it, and knew: one is the current, the others were replaced. */
  peers: z.array(
    z.object({
      _id: z.string(),
      location: z.string(),
      publicKey: z.string(),
      /** Its customer made the key, of which the shop knows this half alone. */
      hasOwnKey: z.boolean(),
      address: z.string(),
      /** The last day, in UTC, on which it was connected. */
      connectedOn: z.nullable(z.string()),
      /** The first such day of its connection. */
      firstConnectedOn: z.nullable(z.string()),
      bytesReceived: z.number(),
      bytesSent: z.number(),
      createdAt: Instant,
      replacedAt: MaybeInstant,
      /** It works until the keys that replaced it are used. */
      isKept: z.boolean(),
      removedAt: MaybeInstant,
    }),
  ),
  /** What the shop added to it, without a payment. */
  given: z.array(
    z.object({
      _id: z.string(),
      days: z.int(),
      reason: z.string(),
      oldEnd: Instant,
      newEnd: Instant,
      createdAt: Instant,
    }),
  ),
  /** What payments added to it. */
  renewals: z.array(
    z.object({
      paymentId: z.string(),
      days: z.int(),
      oldEnd: Instant,
      newEnd: Instant,
      createdAt: Instant,
    }),
  ),
})
export type ConnectionData = z.infer<typeof ConnectionData>

/** A partner's books. Of the payments that were earned from nothing is told: they are other people's. */
const PartnershipData = z.extend(Partnership, {
  /** As the operator set them. */
  promocodeLimit: z.nullable(z.int()),
  promocodeClosedAt: MaybeInstant,
  statement: z.array(StatementEntry),
  earnings: z.array(
    z.object({
      source: z.enum(['promocode', 'referral']),
      level: z.int(),
      percentage: z.int(),
      currency: z.string(),
      amount: z.number(),
      /** What refunds want back of it, and what of that was taken. */
      dueBack: z.number(),
      reversed: z.number(),
      isRefunded: z.boolean(),
      isOwnCard: z.boolean(),
      earnedAt: Instant,
      availableAt: Instant,
      maturedAt: MaybeInstant,
    }),
  ),
  billing: z.extend(PartnerBilling, { agreedAt: z.optional(Instant) }),
  /** Of withdrawals that were paid, as they were issued. */
  documents: z.array(CommissionData),
  withdrawals: z.array(
    z.extend(Withdrawal, {
      /** Null once it is deleted, some time after the withdrawal has ended. */
      bankAccount: z.nullable(
        z.object({
          accountHolder: z.string(),
          iban: z.optional(z.string()),
          sortCode: z.optional(z.string()),
          accountNumber: z.optional(z.string()),
        }),
      ),
      /** The files for the bank in which it stood, one after the other, and why it was taken out. */
      payouts: z.array(
        z.object({
          reference: z.string(),
          createdAt: Instant,
          releasedAt: z.nullable(Instant),
          releasedBecause: z.nullable(z.string()),
        }),
      ),
    }),
  ),
})
export type PartnershipData = z.infer<typeof PartnershipData>

/** Everything held about a customer, but no password's hash and no token. Each slice has its own part. */
export const AccountData = z.object({
  exportedAt: Instant,
  account: z.extend(z.omit(Profile, { connections: true, nextConnections: true }), {
    /** Someone's referral link led here. Whose, is theirs to tell. */
    cameByReferral: z.boolean(),
    /** The page to which the next mailed link leads on. */
    goingTo: z.nullable(z.string()),
    connectionsMade: z.int(),
    createdAt: Instant,
    confirmedAt: MaybeInstant,
    /** How our mails did not get through to the address, when they last did not. */
    mailReturned: z.nullable(z.object({ how: z.enum(['refused', 'bounced', 'complained']), at: Instant })),
    termsAcceptedAt: Instant,
  }),
  /** What the shop's operators noted about the account. */
  notes: z.array(z.object({ text: z.string(), writtenAt: z.string() })),
  partnership: PartnershipData,
  sessions: z.array(
    z.object({
      _id: z.string(),
      browser: z.nullable(z.string()),
      network: z.nullable(z.string()),
      createdAt: Instant,
      lastUsedAt: Instant,
      /** When it was last shown whose it is. */
      provedAt: Instant,
      expiresAt: Instant,
    }),
  ),
  /** What proves the account's owner besides the password: when, and by what names. */
  secondStep: z.object({
    onSince: MaybeInstant,
    endsAt: MaybeInstant,
    app: z.object({
      confirmedAt: MaybeInstant,
      /** The half minute of the last code. */
      lastCodeAt: MaybeInstant,
      /** Until when one that was begun can be finished. */
      pendingUntil: MaybeInstant,
    }),
    passkeys: z.array(
      z.object({
        _id: z.string(),
        name: z.string(),
        isSynced: z.boolean(),
        /** How devices reach it. */
        transports: z.array(z.string()),
        /** As it counts them itself; many do not. */
        signatures: z.number(),
        createdAt: Instant,
        lastUsedAt: MaybeInstant,
      }),
    ),
    recoveryCodes: z.array(z.object({ createdAt: Instant, usedAt: MaybeInstant })),
    /** When the shop's support was asked to take it away, until another of its people agrees. */
    resetAskedAt: MaybeInstant,
    /** Log-ins and other proofs that were begun and not finished. */
    underWay: z.array(
      z.object({ purpose: z.string(), tries: z.int(), createdAt: Instant, expiresAt: Instant }),
    ),
  }),
  /** What happened to the account, the oldest first. */
  securityEvents: z.array(
    z.object({
      kind: z.string(),
      browser: z.nullable(z.string()),
      network: z.nullable(z.string()),
      times: z.int(),
      at: Instant,
      lastAt: Instant,
      /** Where a mail that is on its way goes. */
      mailTo: z.nullable(z.string()),
    }),
  ),
  mailedLinks: z.array(
    z.object({
      purpose: z.enum(['confirm', 'reset']),
      createdAt: Instant,
      expiresAt: Instant,
      usedAt: MaybeInstant,
    }),
  ),
  /** Changes of the email: asked for, made, and until when they can be undone. */
  emailChanges: z.array(
    z.object({
      _id: z.string(),
      oldEmail: z.string(),
      newEmail: z.string(),
      askedAt: Instant,
      expiresAt: Instant,
      changedAt: MaybeInstant,
      undoUntil: MaybeInstant,
      endedAt: MaybeInstant,
    }),
  ),
  orders: z.array(OrderData),
  payments: z.array(PaymentData),
  unknownPayments: z.array(UnknownPaymentData),
  /** Where a card holder's bank wanted money of a payment back. */
  disputes: z.array(DisputeData),
  /** That someone, perhaps the gateway, spoke of a dispute of a payment. */
  disputeHints: z.array(
    z.object({
      paymentId: z.nullable(z.string()),
      firstToldAt: Instant,
      lastToldAt: Instant,
      checkedAt: MaybeInstant,
    }),
  ),
  invoices: z.array(InvoiceData),
  creditNotes: z.array(CreditNoteData),
  connections: z.array(ConnectionData),
  /** White-label applications and messages to the support, with the answers. */
  /** Also what was asked without the account, in the name of its address. */
  conversations: z.array(z.extend(Conversation, { linkOpenedAt: z.nullable(Instant), isHeld: z.boolean() })),
  /** What was cancelled in the name of this address without a log-in. */
  cancellationStatements: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      email: z.string(),
      contract: z.string(),
      message: z.string(),
      receivedAt: Instant,
      isAcknowledged: z.boolean(),
      closedAt: MaybeInstant,
    }),
  ),
  /** Mails and checks that are still to be done, or that failed for good. */
  jobs: z.array(z.object({ task: z.string(), createdAt: Instant, runAt: Instant })),
  /** Last mails to accounts that this address had before, while they are on their way. */
  farewells: z.array(z.object({ createdAt: Instant })),
  /** When the shop's operator opened or changed the account, or an order, a payment or another thing of its own. */
  operatorActions: z.array(
    z.object({
      at: Instant,
      command: z.string(),
      outcome: z.string(),
      endedAt: z.nullable(Instant),
    }),
  ),
})
export type AccountData = z.infer<typeof AccountData>
