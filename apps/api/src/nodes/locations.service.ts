import type { OpenLocation } from '@hedgerow/contract/locations'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'
import type { With } from '#dependencies.ts'
import { Problem } from '#http/problems.ts'
import { hasCapacity, nodesInTurn } from '#nodes/find-capacity.ts'
import { listOpenLocationRows, type OpenLocationRow } from '#nodes/locations.queries.ts'

export { ORDERED_LOCATION, type OrderedLocation } from '#nodes/locations.queries.ts'

const present = ({
  id,
  name,
  time_zone,
  layer_id,
  has_room,
  is_demonstration,
}: OpenLocationRow): OpenLocation => {
  const country = time_zone ? timeZonePlace(time_zone)?.country : undefined
  return {
    _id: id,
    name,
    ...(country ? { country } : {}),
    ...(time_zone ? { timeZone: time_zone } : {}),
    ...(layer_id ? { layer: { _id: layer_id } } : {}),
    hasRoom: has_room,
    ...(is_demonstration ? { isDemonstration: true } : {}),
  }
}

/** The places where connections are sold now. */
const listOpenLocations = async ({ db }: With<'db'>): Promise<OpenLocation[]> =>
  (await listOpenLocationRows(db)).map(present).sort((a, b) => a.name.localeCompare(b.name, 'en-GB'))

const REMEMBERED_MS = 2_000

/** Anyone may ask, as often as they like: a process asks the database once in a while, and answers from memory. */
export const rememberedLocations = (deps: With<'db'>) => {
  let known: { listed: Promise<OpenLocation[]>; until: number } | undefined
  return (): Promise<OpenLocation[]> => {
    if (known && Date.now() < known.until) return known.listed
    const listed = listOpenLocations(deps)
    const asked = { listed, until: Date.now() + REMEMBERED_MS }
    known = asked
    listed.catch(() => {
      if (known === asked) known = undefined
    })
    return listed
  }
}

const refuse = (message: string) =>
  new Problem('invalid', { detail: message, errors: [{ path: 'location', message }] })

/** What a buyer says of where new connections are to be: the location that they chose, or the nearest to them. */
export type LocationChoice = { location?: string | undefined; near?: string | undefined }

export type LocationToOrder = { location_id: string | null; location_is_chosen: boolean }

const ANYWHERE: LocationToOrder = { location_id: null, location_is_chosen: false }

/**
 * What an order keeps of a choice, for so many new connections. A location that is not among those that sell is refused,
 * and so is one without room for them. The nearest only says where to begin: what is not open is left out of account.
 */
export const chooseLocation = async (
  deps: With<'db'>,
  { location, near }: LocationChoice,
  count: number,
  planId: string | null,
): Promise<LocationToOrder> => {
  const id = location ?? near
  if (!id) return ANYWHERE
  const open = await nodesInTurn(deps, planId, undefined)
  // Those that come after the first kind are passed over as long as one of it has room.
  const node = open.find((one) => one.id === id && one.rank === open[0]?.rank)
  if (!node && location) throw refuse(OUR_MESSAGES.locationClosed)
  if (!node || count === 0) return ANYWHERE
  if (location && !(await hasCapacity(deps, node, count))) throw refuse(OUR_MESSAGES.locationFull(node.name))
  return { location_id: node.id, location_is_chosen: location !== undefined }
}
