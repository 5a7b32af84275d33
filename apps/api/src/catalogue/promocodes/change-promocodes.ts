import type { Selectable } from 'kysely'
import { lockPartner } from '#catalogue/promocodes/lock-partner.ts'
import {
  countUncreditedUses,
  findPromocode,
  type PromocodeRow,
  setPromocodeTerms,
} from '#catalogue/promocodes/promocodes.queries.ts'
import type { PartnersTable } from '#platform/database/tables/partnership.table.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'>

export type PromocodeFacts = {
  row: PromocodeRow
  /** Orders that are being paid with it, or were a moment ago. */
  usesToCome: number
}

/** In any letter case. Undefined when there is no such code. */
export const getPromocodeFacts = async ({ db }: Deps, code: string): Promise<PromocodeFacts | undefined> => {
  const row = await findPromocode(db, code.toUpperCase())
  return row && { row, usesToCome: await countUncreditedUses(db, row.promocode, {}) }
}

type Terms = Pick<Selectable<PartnersTable>, 'promocode_limit' | 'promocode_closed_at'>

/** Says whether anything has changed; undefined when there is no such code. Payments under way stay as they are. */
const change = ({ db }: Deps, code: string, next: (now: Terms) => Partial<Terms> | undefined) =>
  db.transaction().execute(async (trx): Promise<boolean | undefined> => {
    const row = await findPromocode(trx, code.toUpperCase())
    const partner = row && (await lockPartner(trx, row.id))
    if (!partner) return undefined
    const terms = next(partner)
    if (terms) await setPromocodeTerms(trx, partner.customer_id, terms)
    return terms !== undefined
  })

/** How often it may be used in all, past uses included; null: any number of times. */
export const limitPromocode = (deps: Deps, code: string, limit: number | null) =>
  change(deps, code, (now) => (now.promocode_limit === limit ? undefined : { promocode_limit: limit }))

/** It cannot be used any more. Orders that have it are paid once it is taken off. */
export const closePromocode = (deps: Deps, code: string) =>
  change(deps, code, (now) => (now.promocode_closed_at ? undefined : { promocode_closed_at: new Date() }))

export const openPromocode = (deps: Deps, code: string) =>
  change(deps, code, (now) => (now.promocode_closed_at ? { promocode_closed_at: null } : undefined))
