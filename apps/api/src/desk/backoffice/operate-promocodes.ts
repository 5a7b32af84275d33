import type { Selectable } from 'kysely'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import { countUncreditedUses, setPromocodeTerms } from '#catalogue/promocodes/promocodes.service.ts'
import {
  findPartnerFacts,
  listPromocodeFacts,
  type PartnerFacts,
} from '#desk/backoffice/partner-facts.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { PartnersTable } from '#platform/database/tables/partnership.table.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export type PromocodeReport = {
  facts: PartnerFacts
  /** Orders that are being paid with it, or were a moment ago. */
  usesToCome: number
}

/** Undefined when it is nobody's. */
export const getPromocodeReport = async (
  { db }: Deps,
  code: string,
): Promise<PromocodeReport | undefined> => {
  const facts = await findPartnerFacts(db, { promocode: code })
  return facts && { facts, usesToCome: await countUncreditedUses(db, facts.promocode, {}) }
}

export const listPromocodes = ({ db }: Deps, limit: number): Promise<PartnerFacts[]> =>
  listPromocodeFacts(db, limit)

type Terms = Pick<Selectable<PartnersTable>, 'promocode_limit' | 'promocode_closed_at'>

/** Says whether anything has changed; undefined when the code is nobody's. Payments under way stay as they are. */
const change = ({ db }: Deps, code: string, next: (now: Terms) => Partial<Terms> | undefined) =>
  db.transaction().execute(async (trx: Trx): Promise<boolean | undefined> => {
    const facts = await findPartnerFacts(trx, { promocode: code })
    const partner = facts && (await lockPartner(trx, facts.id))
    if (!partner) return undefined
    const terms = next(partner)
    if (terms) await setPromocodeTerms(trx, partner.customer_id, terms)
    return terms !== undefined
  })

/** How often it may be used in all, those uses included that there were; null: as often as anybody likes. */
export const limitPromocode = (deps: Deps, code: string, limit: number | null) =>
  change(deps, code, (now) => (now.promocode_limit === limit ? undefined : { promocode_limit: limit }))

/** Nobody can use it any more. Orders that have it are paid once it is taken off. */
export const closePromocode = (deps: Deps, code: string) =>
  change(deps, code, (now) => (now.promocode_closed_at ? undefined : { promocode_closed_at: new Date() }))

export const openPromocode = (deps: Deps, code: string) =>
  change(deps, code, (now) => (now.promocode_closed_at ? { promocode_closed_at: null } : undefined))
