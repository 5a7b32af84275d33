import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { levelAfter, levelFor } from '@hedgerow/domain/partnership'
import type { Command } from 'commander'
import {
  findPartnerId,
  getPartnerReport,
  listPartners,
  listRings,
  type PartnerReport,
  type Ring,
  type RingAccount,
} from '#desk/backoffice/operate-partners.ts'
import type { PartnerFacts } from '#desk/backoffice/partner-facts.queries.ts'
import { sayStatement } from '#desk/commands/say-statement.ts'
import { balanceFacts, presentBalances, presentPartnerSummary } from '#desk/presentation/present-partner.ts'
import { presentTransfer } from '#desk/presentation/present-transfer.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { opens } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

type Json = { json?: true }

const LISTED = 200
/** Movements on the partner's account that are shown unless told otherwise. */
const LATEST = 10

/** For programs. */
const present = (row: PartnerFacts) => ({ id: row.id, email: row.email, ...presentPartnerSummary(row) })

const presentReport = ({ facts, balances, transfers, uncredited, rings }: PartnerReport, limit: number) => ({
  ...present(facts),
  uncredited,
  rings,
  balances: presentBalances(balances),
  statement: transfers.slice(0, limit).map(presentTransfer),
  hasMore: transfers.length > limit,
})

const list = ({ limit, json }: Json & { limit: number }) =>
  withDatabase(async (db) => {
    const found = await listPartners({ db }, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ partners: rows.map(present), hasMore })
    if (rows.length === 0) return say('Nobody has followed a referral link or used a promocode yet.')
    sayTable(
      ['partner', 'promocode', 'level', 'share', 'transactions', 'by code', 'crossings'],
      rows.map((row) => {
        const { level, percentage } = levelFor(row.transactions)
        const counts = [row.transactions, row.promocode_uses, row.referral_visits]
        return [row.email, row.promocode, String(level), `${percentage}%`, ...counts.map(String)]
      }),
    )
    if (hasMore) say(`These are the ${limit} with the most transactions. To see more, raise --limit.`)
  })

const nextOf = ({ transactions }: PartnerFacts): string => {
  const next = levelAfter(transactions)
  return next ? `; level ${next.level} from ${next.transactions} transactions` : ', the highest'
}

const sayReport = ({ facts, balances, transfers, uncredited, rings }: PartnerReport, limit: number): void => {
  const { level, percentage } = levelFor(facts.transactions)
  sayFacts([
    ['Partner', facts.email],
    ['Id', facts.id],
    ['Promocode', facts.promocode],
    ['Level', `${level}, ${percentage}%${nextOf(facts)}`],
    ['Transactions', `${facts.transactions}, ${facts.promocode_uses} of them by promocode`],
    ['Crossings', String(facts.referral_visits)],
    [
      'Not counted',
      `${uncredited.ownCard} paid with the partner’s own card, ${uncredited.smallSpend} too small`,
    ],
    ['Rings', rings === 0 ? 'none' : `${rings}; see partner rings ${facts.promocode}`],
    ...balanceFacts(balances),
  ])
  if (transfers.length > 0) sayStatement(transfers.slice(0, limit))
  if (transfers.length > limit) say(`These are the newest ${limit} movements. To see more, raise --limit.`)
}

const show = (name: string, { limit, json }: Json & { limit: number }) =>
  withDatabase(async (db) => {
    const report = await getPartnerReport({ db }, name, limit)
    if (!report) throw new Refusal(`There is no partner ${name}.`)
    recordSubject(report.facts.id)
    return json ? sayJson(presentReport(report, limit)) : sayReport(report, limit)
  })

const ringName = ({ tie, name }: Pick<Ring, 'tie' | 'name'>): string => `${tie} ${name}`

/** For programs. */
const presentAccount = ({ id, email, isPartner, uncredited, sums }: RingAccount) => ({
  id,
  email,
  isPartner,
  uncredited,
  sums: sums.map(({ currency, payments, paidMinor, earnedMinor }) => ({
    currency,
    payments,
    paid: formatMinor(paidMinor),
    earned: formatMinor(earnedMinor),
  })),
})

const ringRows = ({ partner, accounts, ...ring }: Ring): string[][] =>
  accounts.flatMap(({ email, isPartner, sums, uncredited }) =>
    sums.map(({ currency, payments, paidMinor, earnedMinor }) => [
      partner.promocode,
      ringName(ring),
      isPartner ? `${email} (the partner)` : (email ?? 'a deleted account'),
      String(payments),
      formatMoney(paidMinor, currency),
      formatMoney(earnedMinor, currency),
      String(uncredited),
    ]),
  )

const rings = (name: string | undefined, { limit, json }: Json & { limit: number }) =>
  withDatabase(async (db) => {
    const partnerId = name === undefined ? undefined : await findPartnerId({ db }, name)
    if (name !== undefined && !partnerId) throw new Refusal(`There is no partner ${name}.`)
    if (partnerId) recordSubject(partnerId)
    const found = await listRings({ db }, limit + 1, partnerId)
    const shown = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json)
      return sayJson({
        rings: shown.map((ring) => ({ ...ring, accounts: ring.accounts.map(presentAccount) })),
        hasMore,
      })
    if (shown.length === 0)
      return say('No accounts that credit a partner have paid with the same card or from the same network.')
    sayTable(
      ['partner', 'tied by', 'account', 'payments', 'paid', 'earned', 'not counted'],
      shown.flatMap(ringRows),
    )
    if (hasMore) say(`These are the ${limit} rings that paid the most. To see more, raise --limit.`)
  })

export const addPartner = (program: Command): void => {
  const partner = program
    .command('partner')
    .summary('partners and their accounts')
    .description('Partners who bring customers, and what they have earned.')
    .helpCommand(false)
  opens(partner.command('list'))
    .description('Partners, those with the most transactions first.')
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(partner.command('show'))
    .description('One partner with level, counts, balances and the newest movements on the account.')
    .argument('<partner>', 'promocode, email address or account id')
    .option('--limit <count>', 'show at most this many movements', readCount, LATEST)
    .addOption(JSON_OPTION)
    .action(show)
  opens(partner.command('rings'))
    .description(
      'Accounts that credit the same partner, or are the partner’s own, and paid with the same card or from the same network. Networks are remembered for 90 days. A household or an office can be one network.',
    )
    .argument('[partner]', 'promocode, email address or account id; all partners if left out')
    .option('--limit <count>', 'show at most this many rings', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(rings)
}
