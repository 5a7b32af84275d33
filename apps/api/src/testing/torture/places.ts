import type { Db } from '#platform/database/client.ts'
import { aLocation } from '#testing/locations.ts'
import { sleep } from '#testing/torture/shop-door.ts'

const TIME_ZONES = ['Europe/London', 'Europe/Amsterdam', 'America/New_York']

export const PLACES = TIME_ZONES.length

/** How many connections the last place has room for in the whole run: it is full before long. */
const SMALL = 20
const LAST_POSITION = 65_534
const DRAINED_MS = 700
const OPEN_MS = 1_500

/** Places where connections are sold: one that is always open, one that is drained and opened again and again, a small one. */
export const makePlaces = async (db: Db): Promise<string[]> => {
  const ids: string[] = []
  for (const timeZone of TIME_ZONES) ids.push(await aLocation({ db }, { timeZone }))
  // No agent asks for their peers; they count as up all the time.
  await db
    .updateTable('nodes')
    .set({ seen_at: new Date(Date.now() + 86_400_000) })
    .where('id', 'in', ids)
    .execute()
  const small = ids.at(-1) as string
  await db.updateTable('nodes').set({ filled_to: LAST_POSITION }).where('id', '=', small).execute()
  const addresses = Array.from({ length: SMALL }, (_, i) => ({ node_id: small, position: 2 + i }))
  await db.insertInto('free_addresses').values(addresses).execute()
  return ids
}

/** Drains one place and opens it again, until the run is over. */
export const drainAndOpen = async (db: Db, [, id = '']: readonly string[], isOver: () => boolean) => {
  for (let is_open = false; !isOver(); is_open = !is_open) {
    const set = db.updateTable('nodes').set({ is_open }).where('id', '=', id)
    // The database may be away at the moment.
    await set.execute().catch(() => undefined)
    await sleep(is_open ? OPEN_MS : DRAINED_MS)
  }
}
