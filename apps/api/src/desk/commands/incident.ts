import { formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { recordSubject } from '#desk/tool/acting.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readLine, readMoment, readTextOf } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
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
} from '#network/status/incidents.service.ts'
import type { Db } from '#platform/database/client.ts'
import type { IncidentRow } from '#platform/database/tables/status.table.ts'

type Json = { json?: true }

const LISTED = 50
const LONGEST_TEXT = 2_000
const MOST_PLACES = 20

const readText = readTextOf(1, LONGEST_TEXT)

const readPlaces = (name: string, others: readonly string[] = []): string[] => [...others, readLine(name)]

type Found = NonNullable<Awaited<ReturnType<typeof getIncident>>>

const incidentWith = async (db: Db, id: string): Promise<Found> => {
  const found = await getIncident({ db }, id)
  if (!found) throw new Refusal(`There is no incident ${id}. To list them: incident list --all`)
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
    command.error(`error: At most ${MOST_PLACES} places can be named. Leave --place out to name all of them.`)
  if (until && until <= startsAt)
    command.error('error: --until must be later than --from, or later than now without --from.')
  if (until && until <= new Date()) command.error('error: --until must be in the future.')
  if (!until && startsAt.getTime() > Date.now())
    command.error('error: Only maintenance can begin in the future. Give its end by --until.')
  return withDatabase(async (db) => {
    const id = await openIncident({ db }, { title, text, places: place, startsAt, endsAt: until })
    if (id === 'too-many')
      throw new Refusal(`${MOST_OPEN} incidents are open. Close one first: incident list`)
    if (typeof id === 'object')
      throw new Refusal(`There is no node ${id.unknownPlaces.join(', ')}. To list them: node list`)
    recordSubject(id)
    if (json) return sayJson(present(await incidentWith(db, id)))
    say(`Published on the status page: incident ${id}`)
  })
}

const REFUSALS: Readonly<Record<Refused, string>> = {
  over: 'The incident is over. Open a new one.',
  'too-many': `The incident has ${MOST_UPDATES} updates, which is the most. Close it and open a new one.`,
  'not-planned': 'Only maintenance has a planned end. To end an incident, run: incident close',
  'ends-before': 'The end must be after the beginning.',
}

const update = (
  id: string,
  { text, until, json }: { text?: string; until?: Date } & Json,
  command: Command,
) => {
  if (text === undefined && !until) command.error('error: Give --text, --until or both.')
  if (until && until <= new Date())
    command.error('error: --until must be in the future. To end it now, run: incident close')
  return withDatabase(async (db) => {
    const { row } = await incidentWith(db, id)
    const refused = await updateIncident({ db }, row.id, { text, endsAt: until })
    if (refused) throw new Refusal(REFUSALS[refused])
    if (json) return sayJson(present(await incidentWith(db, row.id)))
    say('Published on the status page.')
  })
}

const close = (id: string, { text, json }: { text?: string } & Json) =>
  withDatabase(async (db) => {
    const { row } = await incidentWith(db, id)
    const isChanged = await closeIncident({ db }, row.id, text)
    if (json) return sayJson({ isChanged, ...present(await incidentWith(db, row.id)) })
    say(isChanged ? 'Closed. The status page shows it for another 90 days.' : 'It was already over.')
  })

const list = ({ all, limit, json }: Json & { all?: true; limit: number }) =>
  withDatabase(async (db) => {
    const found = await searchIncidents({ db }, all ?? false, limit + 1)
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ incidents: rows.map(presentRow), hasMore })
    if (rows.length === 0) return say('No incidents found.')
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
    if (hasMore) say(`There are more than these ${limit}. To see them, raise --limit.`)
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
    .summary('incidents on the status page')
    .description(
      'Incidents and maintenance on the status page. It is public: name no customers and give away no secrets.',
    )
    .helpCommand(false)
  changes(incident.command('open'))
    .description('Publish an incident or, with --until, maintenance.')
    .argument('<title>', 'the title, in a few words', readLine)
    .requiredOption('--text <text>', 'what is known, in plain text', readText)
    .option(
      '--place <node>',
      'a node that is affected; repeat it for more; all nodes if left out',
      readPlaces,
    )
    .option('--from <time>', 'when it began or begins, like 2026-11-29T22:00Z; now if left out', readMoment)
    .option('--until <time>', 'this is maintenance, planned to end then', readMoment)
    .addOption(JSON_OPTION)
    .action(open)
  changes(incident.command('update'))
    .description('Add an update, or move the end of maintenance.')
    .argument('<incident>', 'its number')
    .option('--text <text>', 'what is new, in plain text', readText)
    .option('--until <time>', 'the new end of maintenance', readMoment)
    .addOption(JSON_OPTION)
    .action(update)
  changes(incident.command('close'))
    .description('Say that an incident or maintenance is over.')
    .argument('<incident>', 'its number')
    .option('--text <text>', 'a last update, in plain text', readText)
    .addOption(JSON_OPTION)
    .action(close)
  reads(incident.command('list'))
    .description('Incidents and maintenance that are not over, newest first.')
    .option('--all', 'those that are over too')
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  reads(incident.command('show'))
    .description('One incident with all its updates.')
    .argument('<incident>', 'its number')
    .addOption(JSON_OPTION)
    .action(show)
}
