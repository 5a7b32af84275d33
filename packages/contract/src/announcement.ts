import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'

export const Announcement = z.object({
  text: z.string(),
  /** A page of the shop, or an address elsewhere. */
  link: z.nullable(z.string()),
})
export type Announcement = z.infer<typeof Announcement>

export const getAnnouncement = endpoint({
  ...routes.getAnnouncement,
  access: 'anyone',
  summary: 'The line that stands above every page, if there is one',
  schema: { response: { 200: z.nullable(Announcement) } },
})
