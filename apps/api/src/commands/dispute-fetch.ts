import { DAY_MS, formatDateTime } from '@hedgerow/domain/dates'
import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { changes } from '#cli/classes.ts'
import { JSON_OPTION, readTime } from '#cli/options.ts'
import { say, sayJson } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import { fetchDisputes, periodSince } from '#disputes/fetch-disputes.ts'
import { checkAll } from '#disputes/unanswered.ts'
import { createDataCall, DataFault } from '#gateway/data-call.ts'
import { readDataApi } from '#settings.ts'
import { StartError } from '#start-error.ts'

type Options = { from?: Date; to?: Date; json?: true }

const refused = (error: unknown): never => {
  throw error instanceof DataFault ? new StartError(error.message) : error
}

const fetch = ({ from, to, json }: Options) =>
  withDatabase(async (db) => {
    const api = readDataApi(process.env)
    if (!api)
      throw new Refusal('There is no Data API to ask: set DATA_API_URL, DATA_API_TOKEN and DATA_API_SECRET.')
    // The whole of the last day that was named.
    const end = to ? new Date(to.getTime() + DAY_MS) : new Date()
    if (from && from >= end) throw new Refusal('--from is after --to.')
    const period = { ...periodSince(null, end), ...(from ? { from } : {}) }
    const fetched = await fetchDisputes({ db, call: createDataCall(api) }, period).catch(refused)
    if (json) return sayJson({ from: period.from.toISOString(), to: end.toISOString(), ...fetched })
    say(
      `From ${formatDateTime(period.from)} to ${formatDateTime(end)}: ${counted(fetched.new, 'new dispute')}, ${fetched.changed} changed, ${fetched.known} known.`,
    )
    if (fetched.unfiled > 0) say(`${fetched.unfiled} could not be recorded. To see why: dispute list`)
  })

const check = ({ json }: Options) =>
  withDatabase(async (db) => {
    const checked = await checkAll({ db })
    if (json) return sayJson({ checked })
    say(checked === 0 ? 'Nothing was waiting.' : `${counted(checked, 'hint')} looked after.`)
  })

export const addDisputeFetch = (dispute: Command): void => {
  changes(dispute.command('fetch'))
    .description(
      'Ask the gateway’s Data API for chargebacks, as the running shop does once a day, and record what it tells.',
    )
    .option('--from <day>', 'from this day on, like 2026-11-01 (UTC); half a year back if left out', readTime)
    .option('--to <day>', 'up to this day; now if left out', readTime)
    .addOption(JSON_OPTION)
    .action(fetch)
  changes(dispute.command('checked'))
    .description(
      'You have looked at the gateway’s dashboard: what was only hinted at waits for you no longer.',
    )
    .addOption(JSON_OPTION)
    .action(check)
}
