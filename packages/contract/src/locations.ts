import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FiltersWithout } from './fields.ts'
import { routes } from './routes.ts'

/** A place where connections are sold. Its `name` is the operator's; `_id` is what an order names it by. */
export const OpenLocation = z.object({
  _id: z.string(),
  name: z.string(),
  /** ISO 3166-1, where it is known. */
  country: z.optional(z.string()),
  /** Of the time zone database, where it is known. */
  timeZone: z.optional(z.string()),
  /** Left out where it serves whatever is bought. */
  layer: z.optional(z.object({ _id: z.string() })),
  hasRoom: z.boolean(),
  /** Filters that cannot be bought there now. Left out where all can. */
  without: FiltersWithout,
  /** For networks that block WireGuard: it speaks AmneziaWG, which needs another app. Left out where it does not. */
  isObfuscated: z.optional(z.literal(true)),
  /** No server answers there: the shop is being tried. */
  isDemonstration: z.optional(z.literal(true)),
})
export type OpenLocation = z.infer<typeof OpenLocation>

/** So long an answer may be shown again. */
export const LOCATIONS_FRESH_S = 30

export const listOpenLocations = endpoint({
  ...routes.listOpenLocations,
  access: 'anyone',
  summary: 'The locations where connections are sold now, by their names',
  schema: { response: { 200: z.array(OpenLocation) } },
})
