import { type Check, ok, warning } from '#doctor/check.ts'
import { listAlerts } from '#overview/alerts.ts'

export const workChecks: readonly Check[] = [
  {
    name: 'waiting',
    look: async ({ db }) => {
      const alerts = await listAlerts(db)
      if (alerts.length === 0) return ok('nothing is waiting for you')
      return alerts.map(({ what, see }) => warning(what, see))
    },
  },
]
