import { formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { changes, opens } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { closeStatement, getStatement, searchStatements } from '#money/cancellations/statements.service.ts'
import type { Db } from '#platform/database/client.ts'
import type { CancellationStatementRow } from '#platform/database/tables/cancellations.table.ts'

type Json = { json?: true }

const LISTED = 200

const stateOf = ({ closed_at }: CancellationStatementRow) => (closed_at ? 'closed' : 'open')

const present = (row: CancellationStatementRow) => ({
  id: row.id,
  state: stateOf(row),
  name: row.name,
  email: row.email,
  contract: row.contract,
  message: row.message,
  receivedAt: row.received_at.toISOString(),
  isAcknowledged: row.is_acknowledged,
  closedAt: row.closed_at?.toISOString() ?? null,
})

const statementWith = async (db: Db, id: string): Promise<CancellationStatementRow> => {
  const row = await getStatement({ db }, id)
  if (!row) throw new Refusal(`There is no statement ${id}.`)
  return row
}

const list = ({ all, limit, json }: Json & { all?: true; limit: number }) =>
  withDatabase(async (db) => {
    const found = await searchStatements({ db }, all ?? false, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ statements: rows.map(present), hasMore })
    if (rows.length === 0) return say('No statements found.')
    sayTable(
      ['id', 'state', 'received', 'name', 'email', 'contract'],
      rows.map((row) => [
        row.id,
        stateOf(row),
        formatDateTime(row.received_at),
        row.name,
        row.email,
        row.contract,
      ]),
    )
    if (hasMore) say(`There are more than these ${limit}. To see them, raise --limit.`)
  })

const show = (id: string, { json }: Json) =>
  withDatabase(async (db) => {
    const row = await statementWith(db, id)
    if (json) return sayJson(present(row))
    sayFacts([
      ['Number', row.id],
      ['State', stateOf(row)],
      ['Received', `${formatDateTime(row.received_at)} (--told ${row.received_at.toISOString()})`],
      [
        'Acknowledged',
        row.is_acknowledged ? 'by mail' : 'no: this address was sent too many mails; acknowledge it by hand',
      ],
      ['From', `${row.name} <${row.email}>, not verified`],
      ['Contract', row.contract],
    ])
    for (const line of row.message.split('\n')) say(line && `  ${line}`)
  })

const close = (id: string, { json }: Json) =>
  withDatabase(async (db) => {
    const { id: statementId } = await statementWith(db, id)
    const isChanged = await closeStatement({ db }, statementId)
    if (json) return sayJson({ isChanged, ...present(await statementWith(db, statementId)) })
    say(isChanged ? 'The statement is closed.' : 'The statement was already closed.')
  })

export const addCancellation = (program: Command): void => {
  const cancellation = program
    .command('cancellation')
    .summary('cancellations sent without logging in')
    .description(
      'Statements from people who cancelled without logging in. To cancel the purchase itself, run payment cancel.',
    )
    .helpCommand(false)
  opens(cancellation.command('list'))
    .description('Open statements, newest first.')
    .option('--all', 'closed ones too')
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(cancellation.command('show'))
    .description('One statement, word for word.')
    .argument('<statement>', 'its number')
    .addOption(JSON_OPTION)
    .action(show)
  changes(cancellation.command('close'))
    .description('Close a statement that needs nothing more. Nobody gets a mail.')
    .argument('<statement>', 'its number')
    .addOption(JSON_OPTION)
    .action(close)
}
