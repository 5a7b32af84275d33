import { DAY_MS, formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readDays, readLine } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { searchActions } from '#people/operators/operator-actions.ts'
import type { OperatorActionRow } from '#platform/database/tables/operators.table.ts'

const LISTED = 200
const DAYS = 30

const present = (row: OperatorActionRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  who: row.who,
  command: row.command,
  arguments: row.arguments,
  subject: row.subject,
  outcome: row.outcome,
  endedAt: row.ended_at?.toISOString() ?? null,
})

const argumentsOf = ({ arguments: given, subject }: OperatorActionRow): string =>
  Object.entries(given)
    .filter(([, value]) => value !== subject)
    .map(([name, value]) => (value === true ? name : `${name}=${value}`))
    .join(' ')

type Search = { days: number; who?: string; command?: string; subject?: string; limit: number; json?: true }

const list = ({ days, who, command, subject, limit, json }: Search) =>
  withDatabase(async (db) => {
    const since = new Date(Date.now() - days * DAY_MS)
    const found = await searchActions({ db }, { since, who, command, subject }, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ actions: rows.map(present), hasMore })
    if (rows.length === 0) return say('Nothing found in the record.')
    sayTable(
      ['at', 'who', 'command', 'subject', 'outcome', 'arguments'],
      rows.map((row) => [
        formatDateTime(row.at),
        row.who,
        row.command,
        row.subject ?? '',
        row.outcome,
        argumentsOf(row),
      ]),
    )
    if (hasMore)
      say(
        `There are more than these ${limit}. Narrow the search by --days, --who or --command, or raise --limit.`,
      )
  })

export const addAudit = (program: Command): void => {
  const audit = program
    .command('audit')
    .summary('who did what with this tool')
    .description('What was done with this tool, by whom and when. Records are kept for two years.')
    .helpCommand(false)
  reads(audit.command('list'))
    .description('Commands that changed something or opened a person’s data, newest first.')
    .option('--days <days>', 'how many days to look back', readDays, DAYS)
    .option('--who <name>', 'by this person, with or without the host name', readLine)
    .option('--command <command>', 'this command, or every command of a group such as node', readLine)
    .option(
      '--subject <id>',
      'done to this: an id, such as a customer’s or a payment’s, or the name of a node',
      readLine,
    )
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
}
