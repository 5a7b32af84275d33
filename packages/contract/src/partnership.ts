import { BILLING_MESSAGES, readPartnersVatNumber } from '@hedgerow/domain/commissions'
import { LEDGER_ACCOUNTS, LEDGER_KINDS } from '@hedgerow/domain/ledger'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { withoutGroups } from '@hedgerow/domain/pasted'
import {
  addressLines,
  COMPANY_ADDRESS_LENGTH,
  COMPANY_LENGTH,
  readCompany,
  VAT_MESSAGES,
  VAT_NUMBER_LENGTH,
} from '@hedgerow/domain/vat-numbers'
import { WITHDRAWAL_STATUSES } from '@hedgerow/domain/withdrawals'
import * as z from 'zod/mini'
import { endpoint, PdfReply } from './endpoint.ts'
import {
  anAmount,
  atMost,
  CurrencyInput,
  Instant,
  nameForPayment,
  Promocode,
  PromocodeField,
  Uuid,
} from './fields.ts'
import { routes } from './routes.ts'

const Currency = z.enum(CURRENCY_CODES)

/** An account of a partner in one currency, in its units. */
const Balance = z.object({
  currency: Currency,
  /** What a withdrawal can be asked for. */
  available: z.number(),
  /** Held for some days after each payment. */
  pending: z.number(),
  /** Asked for, and not paid yet. */
  requested: z.number(),
  /** Paid out so far. */
  paid: z.number(),
})

const Level = z.object({ level: z.int(), transactions: z.int(), percentage: z.int() })

/** What a customer sees of their partnership (spec §2, Partnership tab). */
export const Partnership = z.object({
  level: z.int(),
  /** How often the promocode was used to pay. */
  usedPromocodes: z.int(),
  /** How often the referral link was followed. */
  crossings: z.int(),
  /** The share of each transaction. */
  percentage: z.int(),
  balances: z.array(Balance),
  /** In units of each currency. */
  minimumWithdrawal: z.number(),
  /** What an order costs at least that counts, before a promocode's discount; in units of its currency. */
  minimumSpend: z.number(),
  /** For how many days an earning is held. */
  holdDays: z.int(),
  promocode: z.string(),
  referralLink: z.string(),
  /** Completed payments that count towards the level: they can no longer be cancelled. */
  transactions: z.int(),
  /** Those that will, unless they are given back. */
  pendingTransactions: z.int(),
  /** Left out on the highest level. */
  nextLevel: z.optional(Level),
})
export type Partnership = z.infer<typeof Partnership>

export const getPartnership = endpoint({
  ...routes.getPartnership,
  access: 'signed-in',
  summary: "The account's partnership: level, share, link and what came of it",
  schema: { response: { 200: Partnership } },
})

export const countReferralVisit = endpoint({
  ...routes.countReferralVisit,
  access: 'anyone',
  limits: [{ calls: 30, minutes: 10, by: 'address' }],
  summary: 'Count that a referral link was followed; answers alike whether or not the code exists',
  schema: { body: z.object({ code: Promocode }), response: { 200: z.object({}) } },
})

export const checkPromocode = endpoint({
  ...routes.checkPromocode,
  access: 'signed-in',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 200, minutes: 60, by: 'customer' },
  ],
  summary: 'What a promocode takes off; refused when it is unknown, the own, or used up',
  schema: {
    body: z.object({ promocode: PromocodeField }),
    response: { 200: z.object({ promocode: z.string(), percentage: z.int() }) },
  },
})

/** One movement on a partner's accounts. */
export const StatementEntry = z.object({
  _id: z.string(),
  at: Instant,
  kind: z.enum(LEDGER_KINDS),
  from: z.enum(LEDGER_ACCOUNTS),
  to: z.enum(LEDGER_ACCOUNTS),
  currency: Currency,
  /** What was moved, in units. */
  amount: z.number(),
  /** Of an earning: how it came about, at which share, and until when it is held. */
  earning: z.optional(
    z.object({
      source: z.enum(['promocode', 'referral']),
      level: z.int(),
      percentage: z.int(),
      availableAt: Instant,
      /** There when it was taken back because the partner has paid with the same card. */
      isOwnCard: z.optional(z.literal(true)),
    }),
  ),
  /** Of a withdrawal. */
  withdrawalId: z.optional(z.string()),
})
export type StatementEntry = z.infer<typeof StatementEntry>

export const getStatement = endpoint({
  ...routes.getStatement,
  access: 'signed-in',
  summary: "Every movement on the partner's accounts, newest first, a hundred at once",
  schema: {
    /** The `_id` of the last entry that is known: those before it are answered. */
    querystring: z.object({ before: z.optional(z.string().check(z.regex(/^[1-9]\d{0,17}$/))) }),
    response: { 200: z.object({ entries: z.array(StatementEntry), hasMore: z.boolean() }) },
  },
})

/** A withdrawal as its partner sees it. */
export const Withdrawal = z.object({
  _id: z.string(),
  currency: Currency,
  amount: z.number(),
  method: z.enum(['iban', 'sort_code']),
  /** The bank account's last four characters. */
  endsWith: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  /** Why it was refused. */
  reason: z.nullable(z.string()),
  /** What the transfer to the bank is called, as far as it was given. */
  reference: z.optional(z.string()),
  /** The number of the document about it, once it is paid: 'CM-2026-000001'. */
  document: z.optional(z.string()),
  createdAt: Instant,
  endedAt: z.nullable(Instant),
})
export type Withdrawal = z.infer<typeof Withdrawal>

const spaceless = z.overwrite((value: string) => withoutGroups(value).toUpperCase())

/** An IBAN's country, check digits and account. Whether it is one is for the server to say. */
const Iban = z
  .string(OUR_MESSAGES.ibanRequired)
  .check(
    spaceless,
    z.minLength(1, OUR_MESSAGES.ibanRequired),
    z.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, OUR_MESSAGES.iban),
  )
const SortCode = z.string(OUR_MESSAGES.sortCode).check(spaceless, z.regex(/^\d{6}$/, OUR_MESSAGES.sortCode))
const AccountNumber = z
  .string(OUR_MESSAGES.accountNumber)
  .check(spaceless, z.regex(/^\d{8}$/, OUR_MESSAGES.accountNumber))

/** Where the money goes: an IBAN, or in the United Kingdom a sort code and an account number. */
export const WithdrawRequest = z
  .object({
    /** Made by the sender: the same id twice is the same withdrawal, asked for again. */
    id: z.optional(Uuid),
    currency: CurrencyInput,
    amount: anAmount(OUR_MESSAGES.withdrawalAmount),
    accountHolder: nameForPayment(OUR_MESSAGES.accountHolderRequired),
    iban: z.optional(Iban),
    sortCode: z.optional(SortCode),
    accountNumber: z.optional(AccountNumber),
  })
  .check(
    z.refine(
      ({ iban, sortCode, accountNumber }) =>
        iban === undefined
          ? sortCode !== undefined && accountNumber !== undefined
          : sortCode === undefined && accountNumber === undefined,
      { path: ['iban'], error: OUR_MESSAGES.bankDetails },
    ),
    z.refine(({ currency, sortCode }) => sortCode === undefined || currency === 'GBP', {
      path: ['sortCode'],
      error: OUR_MESSAGES.sortCodeCurrency,
    }),
  )
export type WithdrawRequest = z.infer<typeof WithdrawRequest>

export const requestWithdrawal = endpoint({
  ...routes.requestWithdrawal,
  access: 'signed-in',
  // A person sends the money.
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 10, minutes: 60, by: 'customer' },
  ],
  summary: 'Ask to be paid what is available on the partner account, from the minimum upwards',
  schema: { body: WithdrawRequest, response: { 201: Withdrawal } },
  problems: [409],
})

export const listWithdrawals = endpoint({
  ...routes.listWithdrawals,
  access: 'signed-in',
  summary: "The partner's withdrawals, newest first, the latest hundred",
  schema: { response: { 200: z.array(Withdrawal) } },
})

export const getCommissionDocument = endpoint({
  ...routes.getCommissionDocument,
  access: 'signed-in',
  limits: [
    { calls: 60, minutes: 10, by: 'address' },
    { calls: 120, minutes: 60, by: 'customer' },
  ],
  summary:
    'The numbered document of a withdrawal that was paid: a self-billed invoice, or a commission statement',
  schema: { params: z.object({ withdrawalId: Uuid }), response: { 200: PdfReply } },
  problems: [404, 503],
})

/** Whom the partner's documents are to; empty texts where nothing was given. */
export const PartnerBilling = z.object({
  company: z.string(),
  companyAddress: z.string(),
  /** With its country's prefix. */
  vatNumber: z.string(),
  /** Until when the agreement on self-billing holds, where there is one. */
  agreedUntil: z.optional(Instant),
})
export type PartnerBilling = z.infer<typeof PartnerBilling>

const numberFault = (typed: string): string | undefined => {
  const read = typed === '' ? undefined : readPartnersVatNumber(typed)
  return read && 'fault' in read ? read.fault : undefined
}

/** With a VAT number the other fields are needed, as the law wants them on a self-billed invoice. */
export const PartnerBillingRequest = z
  .object({
    company: z.string().check(atMost(COMPANY_LENGTH, VAT_MESSAGES.companyLong)),
    companyAddress: z.string().check(atMost(COMPANY_ADDRESS_LENGTH, VAT_MESSAGES.addressLong)),
    vatNumber: z.string().check(z.trim(), z.maxLength(VAT_NUMBER_LENGTH)),
    /** To self-billing. */
    agrees: z.boolean(),
  })
  .check((of) => {
    const { company, companyAddress, vatNumber, agrees } = of.value
    const refuse = (path: string, message: string) =>
      of.issues.push({ code: 'custom', path: [path], message, input: of.value })
    const fault = numberFault(vatNumber)
    if (fault) refuse('vatNumber', fault)
    const isEmpty = addressLines(`${company}\n${companyAddress}`).length === 0
    if (isEmpty && vatNumber === '') return
    const read = readCompany(company, companyAddress)
    if ('faults' in read) for (const { path, message } of read.faults) refuse(path, message)
    if (vatNumber !== '' && !agrees) refuse('agrees', BILLING_MESSAGES.agrees)
  })
export type PartnerBillingRequest = z.infer<typeof PartnerBillingRequest>

export const getPartnerBilling = endpoint({
  ...routes.getPartnerBilling,
  access: 'signed-in',
  summary: "Whom the partner's documents are to, with their VAT number",
  schema: { response: { 200: PartnerBilling } },
})

export const savePartnerBilling = endpoint({
  ...routes.savePartnerBilling,
  access: 'signed-in',
  limits: [{ calls: 30, minutes: 10, by: 'customer' }],
  summary:
    'Say whom the documents are to, from the next one on; with a VAT number, and the agreement to self-billing',
  schema: { body: PartnerBillingRequest, response: { 200: PartnerBilling } },
})
