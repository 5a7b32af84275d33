import { HISTORY_DAYS, INCIDENT_STATES, PLACE_STATES } from '@hedgerow/domain/uptime'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'
import { routes } from './routes.ts'

/** Percent, rounded down to two decimals. Null: not checked. */
const Uptime = z.nullable(z.number())

const Place = z.object({
  name: z.string(),
  state: z.enum(PLACE_STATES),
  /** Over the days that were watched. */
  uptime: Uptime,
  /** Day by day, from `firstDay` to today; empty where nothing is measured. */
  days: z.array(Uptime).check(z.maxLength(HISTORY_DAYS)),
})
export type Place = z.infer<typeof Place>

const Incident = z.object({
  _id: z.string(),
  title: z.string(),
  /** By name. Empty: all. */
  places: z.array(z.string()),
  /** Maintenance that was announced. */
  isPlanned: z.boolean(),
  state: z.enum(INCIDENT_STATES),
  startsAt: Instant,
  /** When it was over; of maintenance that is not yet, when it is to be. */
  endsAt: z.nullable(Instant),
  /** Plain text, the latest first. */
  updates: z.array(z.object({ at: Instant, text: z.string() })),
})
export type Incident = z.infer<typeof Incident>

export const ShopStatus = z.object({
  /** A day in London, as 2026-08-25. */
  firstDay: z.string(),
  places: z.array(Place),
  /** What is open, then what is planned, then what is over; the newest first in each. */
  incidents: z.array(Incident),
})
export type ShopStatus = z.infer<typeof ShopStatus>

/** It holds no personal data, and says nothing of how many customers there are: anyone may keep the answer for a while. */
export const getStatus = endpoint({
  ...routes.getStatus,
  access: 'anyone',
  summary: 'How the places stand, how they stood for 90 days, and what the operator says of incidents',
  schema: { response: { 200: ShopStatus } },
})

export const checkAddress = endpoint({
  ...routes.checkAddress,
  access: 'anyone',
  summary: 'Which address the caller comes from, and whether it is that of one of our servers',
  schema: {
    response: {
      200: z.object({
        address: z.string(),
        /** The server's, where it is one of ours. */
        place: z.nullable(z.string()),
      }),
    },
  },
})
