import { getAnnouncement } from '@hedgerow/contract/announcement'
import type { FastifyInstance } from 'fastify'
import { implement } from '#platform/http/implement.ts'
import type { RunningSettings } from '#platform/running-settings/running-settings.ts'

/** The line that stands above every page of the shop, while there is one. */
export const announcementRoutes = (
  app: FastifyInstance,
  { running }: { running: Pick<RunningSettings, 'text'> },
): void => {
  implement(app, getAnnouncement, async () => {
    const text = running.text('announcement')
    return text ? { text, link: running.text('announcement-link') ?? null } : null
  })
}
