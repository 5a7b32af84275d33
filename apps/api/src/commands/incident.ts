import { formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { recordSubject } from '#cli/acting.ts'
import { changes, reads } from '#cli/classes.ts'
import { JSON_OPTION, readCount, readLine, readMoment, readTextOf } from '#cli/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import type { Db } from '#database/client.ts'
import type { IncidentRow } from '#database/tables/status.table.ts'
import {
  closeIncident,
  getIncident,
  MOST_OPEN,
  MOST_UPDATES,
  openIncident,
  type Refused,
  searchIncidents,
  stateOfIncident,
  updateIncident,
} from '#status/incidents.service.ts'

type Json = { json?: true }

const LISTED = 50
const LONGEST_TEXT = 2_000
const MOST_PLACES = 20

const readText = readTextOf(1, LONGEST_TEXT)

const readPlaces = (name: string, others: readonly string[] = []): string[] => [...others, readLine(name)]

type Found = NonNullable<Awaited<ReturnType<typeof getIncident>>>

const incidentWith = async (db: Db, id: string): Promise<Found> => {
  const found = await getIncident({ db }, id)
  if (!found) throw new Refusal(`There is no incident ${id}. See which there are: incident list --all`)
  return found
}

const placesOf = ({ places }: IncidentRow) => (places.length > 0 ? places.join(', ') : 'all')
const kindOf = ({ is_planned }: IncidentRow) => (is_planned ? 'maintenance' : 'incident')

const presentRow = (row: IncidentRow) => ({
  id: row.id,
  kind: kindOf(row),
  state: stateOfIncident(row),
  title: row.title,
  places: row.places,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
  closedAt: row.closed_at?.toISOString() ?? null,
})

const present = ({ row, updates }: Found) => ({
  ...presentRow(row),
  updates: updates.map(({ text, written_at }) => ({ at: written_at.toISOString(), text })),
})

type Told = { text: string; place?: string[]; from?: Date; until?: Date } & Json

const open = (title: string, { text, place = [], from, until, json }: Told, command: Command) => {
  const startsAt = from ?? new Date()
  if (place.length > MOST_PLACES)
    command.error(`error: It names ${MOST_PLACES} places at most; leave them out for all.`)
  if (until && until <= startsAt) command.error('error: --until is after --from, or after now.')
  if (until && until <= new Date()) command.error('error: --until is yet to come.')
  if (!until && startsAt.getTime() > Date.now())
    command.error('error: What is yet to come is maintenance: say by --until when it ends.')
  return withDatabase(async (db) => {
    const id = await openIncident({ db }, { title, text, places: place, startsAt, endsAt: until })
    if (id === 'too-many')
      throw new Refusal(`There are ${MOST_OPEN} that are not over. Close one first: incident list`)
    if (typeof id === 'object')
      throw new Refusal(`There is no node ${id.unknownPlaces.join(', ')}. See which there are: node list`)
    recordSubject(id)
    if (json) return sayJson(present(await incidentWith(db, id)))
    say(`It is on the status page: ${id}`)
  })
}

const REFUSALS: Readonly<Record<Refused, string>> = {
  over: 'It is over. Open another one.',
  'too-many': `It has ${MOST_UPDATES} updates. Close it, and open another one.`,
  'not-planned': 'Only maintenance has an end that is known before.',
  'ends-before': 'It would end before it begins.',
}

const update = (
  id: string,
  { text, until, json }: { text?: string; until?: Date } & Json,
  command: Command,
) => {
  if (text === undefined && !until)
    command.error('error: Say something by --text, or move the end by --until.')
  if (until && until <= new Date())
    command.error('error: --until is yet to come. To end it now: incident close')
  return withDatabase(async (db) => {
    const { row } = await incidentWith(db, id)
    const refused = await updateIncident({ db }, row.id, { text, endsAt: until })
    if (refused) throw new Refusal(REFUSALS[refused])
    if (json) return sayJson(present(await incidentWith(db, row.id)))
    say('It is on the status page.')
  })
}

const close = (id: string, { text, json }: { text?: string } & Json) =>
  withDatabase(async (db) => {
    const { row } = await incidentWith(db, id)
    const isChanged = await closeIncident({ db }, row.id, text)
    if (json) return sayJson({ isChanged, ...present(await incidentWith(db, row.id)) })
    say(isChanged ? 'It is over. The status page shows it for 90 days more.' : 'It was over before.')
  })

const list = ({ all, limit, json }: Json & { all?: true; limit: number }) =>
  withDatabase(async (db) => {
    const found = await searchIncidents({ db }, all ?? false, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ incidents: rows.map(presentRow), hasMore })
    if (rows.length === 0) return say('There is none.')
    sayTable(
      ['id', 'state', 'kind', 'from', 'until', 'places', 'title'],
      rows.map((row) => [
        row.id,
        stateOfIncident(row),
        kindOf(row),
        formatDateTime(row.starts_at),
        (row.closed_at ?? row.ends_at) ? formatDateTime(row.closed_at ?? row.ends_at ?? row.starts_at) : '',
        placesOf(row),
        row.title,
      ]),
    )
    if (hasMore) say(`There are more than these ${limit}. Ask for --limit.`)
  })

const show = (id: string, { json }: Json) =>
  withDatabase(async (db) => {
    const found = await incidentWith(db, id)
    if (json) return sayJson(present(found))
    const { row, updates } = found
    sayFacts([
      ['Number', row.id],
      ['Title', row.title],
      ['Kind', kindOf(row)],
      ['State', stateOfIncident(row)],
      ['Places', placesOf(row)],
      ['From', formatDateTime(row.starts_at)],
      ...(row.ends_at ? [['Until', formatDateTime(row.ends_at)] as const] : []),
      ...(row.closed_at ? [['Closed', formatDateTime(row.closed_at)] as const] : []),
    ])
    for (const { text, written_at } of updates) {
      say('')
      say(formatDateTime(written_at))
      for (const line of text.split('\n')) say(line && `  ${line}`)
    }
  })

export const addIncident = (program: Command): void => {
  const incident = program
    .command('incident')
    .summary('what the status page says')
    .description('What visitors read on the status page. It is public: name no customer, and nothing secret.')
    .helpCommand(false)
  changes(incident.command('open'))
    .description('Tells of an incident that is there, or, with --until, of maintenance.')
    .argument('<title>', 'in a few words', readLine)
    .requiredOption('--text <text>', 'what is known, in plain text', readText)
    .option(
      '--place <node>',
      'a node that it is about, again for another; left out, it is about all',
      readPlaces,
    )
    .option('--from <time>', 'when it began or begins, like 2026-11-29T22:00Z; left out, now', readMoment)
    .option('--until <time>', 'it is maintenance, and is to end then', readMoment)
    .addOption(JSON_OPTION)
    .action(open)
  changes(incident.command('update'))
    .description('Says more, or moves the end of maintenance.')
    .argument('<incident>', 'its number')
    .option('--text <text>', 'what is new, in plain text', readText)
    .option('--until <time>', 'the new end of maintenance', readMoment)
    .addOption(JSON_OPTION)
    .action(update)
  changes(incident.command('close'))
    .description('It is over.')
    .argument('<incident>', 'its number')
    .option('--text <text>', 'a last word, in plain text', readText)
    .addOption(JSON_OPTION)
    .action(close)
  reads(incident.command('list'))
    .description('Those that are not over, the newest first.')
    .option('--all', 'the others too')
    .option('--limit <count>', 'so many at most', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  reads(incident.command('show'))
    .description('One of them, with all that was said.')
    .argument('<incident>', 'its number')
    .addOption(JSON_OPTION)
    .action(show)
}
