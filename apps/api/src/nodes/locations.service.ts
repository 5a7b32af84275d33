import type { OpenLocation } from '@hedgerow/contract/locations'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'
import type { With } from '#dependencies.ts'
import { listOpenLocationRows, type OpenLocationRow } from '#nodes/locations.queries.ts'

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
export const listOpenLocations = async ({ db }: With<'db'>): Promise<OpenLocation[]> =>
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
