import {
  listRunningSettings,
  type SettingView,
  setRunningSetting as setEndpoint,
} from '@hedgerow/contract/console/settings'
import { formatMinor } from '@hedgerow/domain/money'
import {
  RUNNING_SETTING_NAMES,
  RUNNING_SETTINGS,
  type RunningSetting,
  usualPrice,
} from '@hedgerow/domain/running-settings'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#console/implement-for-operators.ts'
import type { With } from '#dependencies.ts'
import { listSetSettings, setRunningSetting } from '#running-settings/running-settings.ts'
import type { Settings } from '#settings.ts'

type Deps = With<'db'> & { startedWith: Settings }

/** What the shop goes by where nobody has set anything. */
const usualOf = (name: RunningSetting, settings: Settings): string | null => {
  switch (name) {
    case 'partner-hold-days':
      return String(settings.partnerHoldDays)
    case 'partner-minimum-spend':
      return formatMinor(settings.partnerMinimumSpend)
    case 'expired-grace-days':
      return String(settings.expiredGraceDays)
    case 'large-refund':
      return formatMinor(settings.largeRefundMinor)
    default: {
      const price = usualPrice(name)
      return price === undefined ? null : formatMinor(price)
    }
  }
}

const typedOf = (name: RunningSetting, value: unknown): string =>
  RUNNING_SETTINGS[name].kind === 'sum' ? formatMinor(Number(value)) : String(value)

/** What may change while the shop runs. */
export const settingsRoutes = (app: FastifyInstance, deps: Deps): void => {
  implementForOperators(app, deps, listRunningSettings, async () => {
    const rows = new Map((await listSetSettings(deps.db)).map((row) => [row.name, row]))
    return RUNNING_SETTING_NAMES.map((name): SettingView => {
      const row = rows.get(name)
      return {
        name,
        value: row ? typedOf(name, row.value) : null,
        usual: usualOf(name, deps.startedWith),
        setAt: row?.set_at.toISOString() ?? null,
        by: row?.by ?? null,
      }
    })
  })

  implementForOperators(app, deps, setEndpoint, async ({ operator, params, body }) => {
    await setRunningSetting(deps.db, params.name, body.value, operator.id)
    return {}
  })
}
