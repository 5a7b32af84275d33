import { isUuid } from '@hedgerow/domain/ids'
import { findPartnerFacts, listPartnerFacts, type PartnerFacts } from '#backoffice/partner-facts.queries.ts'
import type { With } from '#dependencies.ts'
import { type BalanceRow, listBalances } from '#partnership/partnership.service.ts'
import { type ListedTransfer, listTransfers } from '#partnership/statement.ts'

export type { PartnerFacts } from '#backoffice/partner-facts.queries.ts'

type Deps = With<'db'>

export type PartnerReport = {
  facts: PartnerFacts
  balances: BalanceRow[]
  /** The newest movements, and one more than asked for where there are more. */
  transfers: ListedTransfer[]
}

/** A partner by promocode, e-mail or the account's id, with the newest movements; undefined when there is none. */
export const getPartnerReport = async (
  { db }: Deps,
  name: string,
  latest: number,
): Promise<PartnerReport | undefined> => {
  const by = name.includes('@') ? { email: name } : isUuid(name) ? { id: name } : { promocode: name }
  const facts = await findPartnerFacts(db, by)
  return (
    facts && {
      facts,
      balances: await listBalances(db, facts.id),
      transfers: await listTransfers(db, facts.id, { limit: latest + 1 }),
    }
  )
}

export const listPartners = ({ db }: Deps, limit: number): Promise<PartnerFacts[]> =>
  listPartnerFacts(db, limit)
