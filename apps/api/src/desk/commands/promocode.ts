import { formatDateTime } from '@hedgerow/domain/dates'
import { levelFor } from '@hedgerow/domain/partnership'
import { type Command, InvalidArgumentError } from 'commander'
import {
  closePromocode,
  getPromocodeReport,
  limitPromocode,
  listPromocodes,
  openPromocode,
  type PromocodeReport,
} from '#desk/backoffice/operate-promocodes.ts'
import type { PartnerFacts } from '#desk/backoffice/partner-facts.queries.ts'
import { changes, opens } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import type { Db } from '#platform/database/client.ts'

type Json = { json?: true }

const LISTED = 200
const CODE = 'the promocode, in any letter case'

const readLimit = (text: string): number | null => (text.toLowerCase() === 'none' ? null : readCount(text))

const readCode = (text: string): string => {
  const code = text.trim().toUpperCase()
  if (!/^[A-Z0-9]{1,32}$/.test(code))
    throw new InvalidArgumentError('A promocode consists of letters and digits.')
  return code
}

/** For programs. */
const present = (row: PartnerFacts) => ({
  promocode: row.promocode,
  partner: { id: row.id, email: row.email },
  percentage: levelFor(row.transactions).percentage,
  uses: row.promocode_uses,
  limit: row.promocode_limit,
  closedAt: row.promocode_closed_at?.toISOString() ?? null,
})

const presentReport = ({ facts, usesToCome }: PromocodeReport) => ({ ...present(facts), usesToCome })

const stateOf = ({ promocode_closed_at, promocode_limit, promocode_uses }: PartnerFacts): string => {
  if (promocode_closed_at) return `closed ${formatDateTime(promocode_closed_at)}`
  return promocode_limit !== null && promocode_uses >= promocode_limit ? 'used up' : 'open'
}

const limitOf = ({ promocode_limit }: PartnerFacts) =>
  promocode_limit === null ? 'none' : `${promocode_limit}`

const takesOff = ({ transactions }: PartnerFacts) => `${levelFor(transactions).percentage}%`

const reportOf = async (db: Db, code: string): Promise<PromocodeReport> => {
  const report = await getPromocodeReport({ db }, code)
  if (!report) throw new Refusal(`Nobody has the promocode ${code}.`)
  return report
}

const list = ({ limit, json }: Json & { limit: number }) =>
  withDatabase(async (db) => {
    const found = await listPromocodes({ db }, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ promocodes: rows.map(present), hasMore })
    if (rows.length === 0) return say('No promocode has been used yet, and none is limited or closed.')
    sayTable(
      ['promocode', 'partner', 'takes off', 'uses', 'limit', 'state'],
      rows.map((row) => [
        row.promocode,
        row.email,
        takesOff(row),
        String(row.promocode_uses),
        limitOf(row),
        stateOf(row),
      ]),
    )
    if (hasMore) say(`These are the ${limit} used most. To see more, raise --limit.`)
  })

const show = (code: string, { json }: Json) =>
  withDatabase(async (db) => {
    const report = await reportOf(db, code)
    if (json) return sayJson(presentReport(report))
    const { facts, usesToCome } = report
    sayFacts([
      ['Promocode', facts.promocode],
      ['Partner', `${facts.email}, ${facts.id}`],
      ['Takes off', `${takesOff(facts)} of the price`],
      ['Uses', `${facts.promocode_uses} credited, ${usesToCome} under way`],
      ['Limit', limitOf(facts)],
      ['State', stateOf(facts)],
    ])
  })

type Change = (deps: { db: Db }, code: string) => Promise<boolean | undefined>

/** Says how it stands now, whether it was so before or not. */
const changed = (change: Change, now: (facts: PartnerFacts) => string, code: string, { json }: Json) =>
  withDatabase(async (db) => {
    const isChanged = await change({ db }, code)
    const report = await reportOf(db, code)
    if (json) return sayJson({ isChanged, promocode: presentReport(report) })
    say(`${isChanged ? '' : 'Nothing changed: '}${code} ${now(report.facts)}`)
  })

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

const limitText = ({ promocode_limit, promocode_uses }: PartnerFacts): string =>
  promocode_limit === null
    ? 'may be used any number of times.'
    : `may be used ${times(promocode_limit)} in all, and has been used ${times(promocode_uses)} so far.`

const limit = (code: string, most: number | null, options: Json) =>
  changed((deps) => limitPromocode(deps, code, most), limitText, code, options)

const CLOSED =
  'is closed. Customers with unpaid orders must remove it before they can pay. Payments under way continue.'

const close = (code: string, options: Json) => changed(closePromocode, () => CLOSED, code, options)
const open = (code: string, options: Json) => changed(openPromocode, () => 'is open.', code, options)

export const addPromocode = (program: Command): void => {
  const promocode = program
    .command('promocode')
    .summary("partners' promocodes")
    .description('Partners’ promocodes. The discount is the percentage of the partner’s level.')
    .helpCommand(false)
  opens(promocode.command('list'))
    .description('Promocodes that have been used, limited or closed, the most used first.')
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(promocode.command('show'))
    .description('One promocode, used or not.')
    .argument('<code>', CODE, readCode)
    .addOption(JSON_OPTION)
    .action(show)
  changes(promocode.command('limit'))
    .description('Set how often a promocode may be used in all, past uses included.')
    .argument('<code>', CODE, readCode)
    .argument('<count>', 'a whole number, or none for no limit', readLimit)
    .addOption(JSON_OPTION)
    .action(limit)
  changes(promocode.command('close'))
    .description('Close a promocode: nobody can use it from now on.')
    .argument('<code>', CODE, readCode)
    .addOption(JSON_OPTION)
    .action(close)
  changes(promocode.command('open'))
    .description('Open a closed promocode again.')
    .argument('<code>', CODE, readCode)
    .addOption(JSON_OPTION)
    .action(open)
}
