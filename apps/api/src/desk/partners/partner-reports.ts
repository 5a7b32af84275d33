import { isUuid } from '@hedgerow/domain/ids'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { findPartnerFacts, type PartnerFacts } from '#desk/partners/partner-facts.queries.ts'
import { countUncredited, listRingRows, type RingRow, type Tie } from '#desk/partners/rings.queries.ts'
import { listPartnersOwing } from '#partners/earnings/earnings.service.ts'
import { type BalanceRow, listBalances } from '#partners/partnership/partnership.service.ts'
import { type ListedTransfer, listTransfers } from '#partners/partnership/statement.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

const byName = (name: string) =>
  name.includes('@') ? { email: name } : isUuid(name) ? { id: name } : { promocode: name }

export type PartnerReport = {
  facts: PartnerFacts
  balances: BalanceRow[]
  /** Payments that earned nothing, by the rules. */
  uncredited: { ownCard: number; smallSpend: number }
  /** How many rings there are among those who credit the partner. */
  rings: number
  /** The newest movements, and one more than asked for where there are more. */
  transfers: ListedTransfer[]
}

/** What an account of a ring paid in one currency, and what the partner earned of it. */
export type RingSum = { currency: CurrencyCode; payments: number; paidMinor: number; earnedMinor: number }

export type RingAccount = {
  id: string
  /** Null of an account that is deleted; its id then leads to nobody. */
  email: string | null
  isPartner: boolean
  uncredited: number
  sums: RingSum[]
}

/** Accounts that credit one partner, or are the partner's, and paid with one card or from one network. */
export type Ring = {
  partner: { id: string; email: string; promocode: string }
  tie: Tie
  /** Of a card the masked number; of a network a name that leads nowhere. */
  name: string
  accounts: RingAccount[]
}

const toAccount = (rows: readonly RingRow[]): RingAccount[] =>
  rows.slice(0, 1).map(({ account, email, is_partner }) => ({
    id: account,
    email,
    isPartner: is_partner,
    uncredited: rows.reduce((sum, row) => sum + row.uncredited, 0),
    sums: rows.map((row) => ({
      currency: row.currency,
      payments: row.payments,
      paidMinor: row.paid_minor,
      earnedMinor: row.earned_minor,
    })),
  }))

const toRing = (rows: readonly RingRow[]): Ring[] =>
  rows.slice(0, 1).map(({ partner_id, partner_email, promocode, tie, ring }) => ({
    partner: { id: partner_id, email: partner_email, promocode },
    tie,
    name: ring,
    accounts: [...Map.groupBy(rows, ({ account }) => account).values()].flatMap(toAccount),
  }))

/** The rings that paid most come first; with a partner's id only theirs. */
export const listRings = async ({ db }: Deps, limit: number, partnerId?: string): Promise<Ring[]> => {
  const rows = await listRingRows(db, { limit, ...(partnerId === undefined ? {} : { partnerId }) })
  return [...Map.groupBy(rows, ({ partner_id, tie, key }) => `${partner_id} ${tie} ${key}`).values()].flatMap(
    toRing,
  )
}

const RINGS_COUNTED = 1000

/** How many rings there are among those who credit a partner. */
export const countRings = async (deps: Deps, partnerId: string): Promise<number> =>
  (await listRings(deps, RINGS_COUNTED, partnerId)).length

/** The account's id of a partner, by promocode, e-mail or that id; undefined when there is none. */
export const findPartnerId = async ({ db }: Deps, name: string): Promise<string | undefined> =>
  (await findPartnerFacts(db, byName(name)))?.id

/** A partner by promocode, e-mail or the account's id, with the newest movements; undefined when there is none. */
export const getPartnerReport = async (
  { db }: Deps,
  name: string,
  latest: number,
): Promise<PartnerReport | undefined> => {
  const facts = await findPartnerFacts(db, byName(name))
  return (
    facts && {
      facts,
      balances: await listBalances(db, facts.id),
      uncredited: await countUncredited(db, facts.id),
      rings: await countRings({ db }, facts.id),
      transfers: await listTransfers(db, facts.id, { limit: latest + 1 }),
    }
  )
}

/** Partners who have been paid what refunds want back since, with how much of each currency. */
export const listDebtors = ({ db }: Deps) => listPartnersOwing(db)
