import { listShopChecks } from '#care/doctor/shop-checks.ts'
import { source } from '#care/telemetry/read-at-scrape.ts'

/** What the shop found when it last looked at what it needs. A warning is for whoever looks. */
export const checkSource = source({
  families: {
    hedgerow_check_failing: {
      help: 'Whether a check of the shop found a problem when it last looked',
      labelNames: ['check', 'machine'],
    },
  },
  read: async (db) => ({
    hedgerow_check_failing: (await listShopChecks(db)).map(({ name, machine, state }) => ({
      labels: { check: name, machine },
      value: state === 'problem' ? 1 : 0,
    })),
  }),
})
