import type { AgentMinute } from '@hedgerow/contract/agents'
import { MINUTES_KEPT_HOURS } from '@hedgerow/domain/node-history'
import { sql } from 'kysely'
import { chanceOf } from '#demo/chance.ts'
import type { DemoAgent } from '#demo/places.ts'
import type { DemoDependencies, World } from '#demo/world.ts'

/** Of a node's connections so many are connected in the evening; by the hour in UTC. */
const BUSIEST = 0.4
const HOURS = [30, 18, 12, 9, 8, 10, 18, 30, 42, 48, 50, 52, 55, 54, 52, 55, 62, 72, 84, 94, 100, 92, 74, 50]

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Bytes to a customer in a minute, on average: 600 kbit/s. */
const PER_PEER = 4_500_000

/** Always the same of one place and minute. */
const noise = (place: string, minute: number, of: string) => chanceOf(minute, `${place} ${of}`).draw()

const shareAt = (minute: number): number => {
  const [hour, part] = [Math.floor(minute / 60) % 24, (minute % 60) / 60]
  const [now = 0, next = 0] = [HOURS[hour], HOURS[(hour + 1) % 24]]
  return (BUSIEST * (now + (next - now) * part)) / 100
}

/** In which minutes before the end its agent said nothing. */
const SILENT: Readonly<Record<string, readonly (readonly [from: number, minutes: number])[]>> = {
  London: [[11 * DAY_MINUTES + 420, 11]],
  Frankfurt: [[19 * DAY_MINUTES + 180, 38]],
  Warsaw: [
    [9 * 60, 22],
    [5 * DAY_MINUTES, 300],
  ],
}

/** What the agent of a place would say of a minute; `ago`: before the end. Undefined: nothing. */
export const minuteOf = (
  place: string,
  connections: number,
  minute: number,
  ago = 0,
): AgentMinute | undefined => {
  if (SILENT[place]?.some(([from, minutes]) => ago <= from && ago > from - minutes)) return undefined
  const peers = Math.round(
    connections * shareAt(minute) * (0.94 + 0.12 * noise(place, Math.floor(minute / 7), 'peers')),
  )
  const sent = Math.round(peers * PER_PEER * (0.4 + 1.2 * noise(place, minute, 'bytes') ** 2))
  return {
    minute,
    peers,
    sent,
    received: Math.round(sent * (0.08 + 0.05 * noise(place, minute, 'received'))),
    processor: Math.min(97, Math.round(3 + sent / 80_000_000 + 6 * noise(place, minute, 'processor'))),
    errors: noise(place, minute, 'errors') < 0.0007 ? 2 : 0,
  }
}

/** Handshakes of the shop's own, of which one is lost now and then. */
const TRIES = 4
const lostIn = (place: string, minute: number): number => (noise(place, minute, 'lost') < 0.012 ? 1 : 0)

/** The block lists are fetched at four in the morning. */
const listsAgeAt = (minute: number): number => (Math.floor(minute / 60) + 20) % 24

const rowOf = (place: string, connections: number, minute: number, ago: number) => {
  const said = minuteOf(place, connections, minute, ago)
  return {
    minute: new Date(minute * MINUTE_MS),
    peers: said?.peers ?? null,
    received: said ? String(said.received) : null,
    sent: said ? String(said.sent) : null,
    processor: said?.processor ?? null,
    errors: said?.errors ?? null,
    lists_age_hours: said ? listsAgeAt(minute) : null,
    tries: TRIES,
    lost: lostIn(place, minute),
  }
}

type Row = ReturnType<typeof rowOf>

const hourOf = (rows: readonly Row[]) => {
  const said = rows.filter(({ peers }) => peers !== null)
  const all = (name: 'peers' | 'received' | 'sent' | 'processor' | 'errors') =>
    said.map((row) => Number(row[name]))
  const sum = (name: Parameters<typeof all>[0]) => all(name).reduce((total, one) => total + one, 0)
  return {
    hour: rows[0]?.minute ?? new Date(0),
    minutes: said.length,
    peers: String(sum('peers')),
    peers_most: Math.max(0, ...all('peers')),
    received: String(sum('received')),
    sent: String(sum('sent')),
    processor: sum('processor'),
    processor_most: Math.max(0, ...all('processor')),
    errors: String(sum('errors')),
    lists_age_hours: said.at(-1)?.lists_age_hours ?? null,
    tries: TRIES * rows.length,
    lost: rows.reduce((total, { lost }) => total + lost, 0),
  }
}

/** What the agents of the places would have said of the last weeks, up to now. */
export const fillNodeHistory = async (
  { db }: Pick<DemoDependencies, 'db'>,
  { days, end }: Pick<World, 'days' | 'end'>,
  agents: readonly DemoAgent[],
): Promise<void> => {
  const last = Math.floor(end / MINUTE_MS)
  const first = 60 * Math.ceil((last - Math.min(days - 1, 31) * DAY_MINUTES) / 60)
  const nodes = await db
    .selectFrom('nodes')
    .select(['id', 'name'])
    .where('is_demonstration', '=', false)
    .execute()
  for (const { id: node_id, name } of nodes) {
    const connections = agents.find((agent) => agent.name === name)?.connections ?? 0
    const rows = Array.from({ length: last - first }, (_, at) =>
      rowOf(name, connections, first + at, last - first - at),
    )
    const hours = Array.from({ length: Math.ceil(rows.length / 60) }, (_, at) =>
      rows.slice(at * 60, (at + 1) * 60),
    )
    await db
      .insertInto('node_hours')
      .values(hours.map((hour) => ({ node_id, ...hourOf(hour) })))
      .execute()
    const kept = rows.slice(-MINUTES_KEPT_HOURS * 60)
    await db
      .insertInto('node_minutes')
      .values(kept.map((row) => ({ node_id, ...row })))
      .execute()
  }
}

/** How many connections each place has, which its agent goes by from then on. */
export const countConnections = async (
  { db }: Pick<DemoDependencies, 'db'>,
  agents: readonly DemoAgent[],
): Promise<DemoAgent[]> => {
  const rows = await db
    .selectFrom('peers')
    .innerJoin('nodes', 'nodes.id', 'peers.node_id')
    .innerJoin('connections', 'connections.id', 'peers.connection_id')
    .select(['nodes.name', ({ fn }) => fn.countAll<string>().as('count')])
    .where('peers.removed_at', 'is', null)
    .where('connections.expires_at', '>', sql<Date>`now()`)
    .groupBy('nodes.name')
    .execute()
  return agents.map((agent) => ({
    ...agent,
    connections: Number(rows.find(({ name }) => name === agent.name)?.count ?? 0),
  }))
}
