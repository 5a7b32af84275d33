import type { OpenLocation } from '@hedgerow/contract/locations'
import { FILTERS, FILTERS_MASK, type WireFilter } from '@hedgerow/domain/filters'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { hasBit, labelsOf } from '@hedgerow/domain/pricing'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'
import { listOpenNodes } from '#network/nodes/capacity.queries.ts'
import { hasCapacity } from '#network/nodes/find-capacity.ts'
import { listOpenLocationRows, type OpenLocationRow } from '#network/nodes/locations.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { createKept } from '#platform/kept.ts'

export { hasRoomFor, roomFor } from '#network/nodes/capacity.queries.ts'
export { ORDERED_LOCATION, type OrderedLocation } from '#network/nodes/locations.queries.ts'

/** On the wire, where it lacks any. */
export const withoutOf = (lacked: number): { without?: WireFilter[] } =>
  lacked > 0 ? { without: FILTERS.filter((filter) => hasBit(lacked, filter)).map(({ wire }) => wire) } : {}

const present = ({
  id,
  name,
  time_zone,
  layer_id,
  has_room,
  is_demonstration,
  lacked,
  is_obfuscated,
}: OpenLocationRow): OpenLocation => {
  const country = time_zone ? timeZonePlace(time_zone)?.country : undefined
  return {
    _id: id,
    name,
    ...(country ? { country } : {}),
    ...(time_zone ? { timeZone: time_zone } : {}),
    ...(layer_id ? { layer: { _id: layer_id } } : {}),
    hasRoom: has_room,
    ...withoutOf(lacked),
    ...(is_obfuscated ? { isObfuscated: true } : {}),
    ...(is_demonstration ? { isDemonstration: true } : {}),
  }
}

/** The places where connections are sold now. */
const listOpenLocations = async ({ db }: With<'db'>): Promise<OpenLocation[]> =>
  (await listOpenLocationRows(db)).map(present).sort((a, b) => a.name.localeCompare(b.name, 'en-GB'))

const REMEMBERED_MS = 2_000

/** Anyone may ask, as often as they like: a process asks the database once in a while, and answers from memory. */
export const rememberedLocations = (deps: With<'db'>) =>
  createKept(REMEMBERED_MS, () => listOpenLocations(deps))

const refuse = (message: string, path = 'location') =>
  new Problem('invalid', { detail: message, errors: [{ path, message }] })

/** Where no location has room for so many new connections. */
export const noRoomFor = (count: number): Problem => refuse(OUR_MESSAGES.noRoom(count))

/** What a buyer says of where new connections are to be: the location that they chose, or the nearest to them. */
export type LocationChoice = { location?: string | undefined; near?: string | undefined }

export type LocationToOrder = { location_id: string | null; location_is_chosen: boolean }

const ANYWHERE: LocationToOrder = { location_id: null, location_is_chosen: false }

/**
 * What an order keeps of a choice, for so many new connections. A location that is not among those that sell is refused,
 * and so is one without room for them, or without a filter that is ordered. A filter that no node can do is refused: what
 * waits for the first node to be up has none that says so. The nearest only says where to begin: what is not open, or obfuscated,
 * is left out of account.
 */
export const chooseLocation = async (
  deps: With<'db'>,
  { location, near }: LocationChoice,
  count: number,
  planId: string | null,
  options: number,
): Promise<LocationToOrder> => {
  const id = location ?? near
  const isFiltered = count > 0 && (options & FILTERS_MASK) !== 0
  if (!id && !isFiltered) return ANYWHERE
  const all = await listOpenNodes(deps.db, planId, options)
  const open = all.filter((one) => !one.is_obfuscated || one.id === location)
  // The first can do more of what is ordered than any other.
  const lacked = isFiltered ? (open[0]?.lacked ?? 0) & options : 0
  if (lacked > 0) throw refuse(OUR_MESSAGES.filterNowhere(labelsOf(lacked)), 'features')
  if (!id) return ANYWHERE
  // Those that come after the first kind are passed over as long as one of it has room.
  const node = open.find((one) => one.id === id && one.rank === open[0]?.rank)
  if (!node && location) throw refuse(OUR_MESSAGES.locationClosed)
  if (!node || count === 0) return ANYWHERE
  if (location && (node.lacked & options) !== 0)
    throw refuse(OUR_MESSAGES.filterElsewhere(node.name, labelsOf(node.lacked & options)))
  if (location && !(await hasCapacity(deps, node, count))) throw refuse(OUR_MESSAGES.locationFull(node.name))
  return { location_id: node.id, location_is_chosen: location !== undefined }
}
