import {
  changePrices as changePricesEndpoint,
  clearRunningSetting as clearEndpoint,
  dropPriceChange as dropEndpoint,
  listPriceChanges as listChangesEndpoint,
  listRunningSettings,
  type SettingView,
  setRunningSetting as setEndpoint,
} from '@hedgerow/contract/console/settings'
import { USUAL_DISGUISE } from '@hedgerow/domain/disguise'
import { CARRIERS, GATEWAY_TITLES, NOBODY } from '@hedgerow/domain/gateways'
import { formatMinor } from '@hedgerow/domain/money'
import { comparePrices, isPriceSetting, USUAL_PRICES } from '@hedgerow/domain/price-settings'
import {
  LARGE_REFUND_MINOR,
  LIMIT_SETTINGS,
  RUNNING_SETTING_NAMES,
  RUNNING_SETTINGS,
  type RunningSetting,
  SECOND_PERSON_MINOR,
} from '@hedgerow/domain/running-settings'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import { dateOf } from '#desk/console/serve-list.ts'
import { priceChangeView } from '#desk/settings/settings.present.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { requireSecondPerson } from '#people/operators/second-person.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField } from '#platform/http/problems.ts'
import { changePrices, dropPriceChange, listPriceChanges } from '#platform/running-settings/price-changes.ts'
import {
  listSetSettings,
  readPriceValues,
  setRunningSetting,
} from '#platform/running-settings/running-settings.ts'
import type { Settings } from '#platform/settings.ts'

type Deps = With<'db'> & { startedWith: Settings }

/** What the shop goes by where nobody has set anything. */
const usualOf = (name: RunningSetting, settings: Settings): string | null => {
  switch (name) {
    case 'operator-email':
      return settings.operatorEmail
    case 'statement-descriptor':
      return settings.statementDescriptor ?? null
    case 'node-reach-check':
      return settings.nodeReachCheck
    case 'partner-hold-days':
      return String(settings.partnerHoldDays)
    case 'partner-minimum-spend':
      return formatMinor(settings.partnerMinimumSpend)
    case 'expired-grace-days':
      return String(settings.expiredGraceDays)
    case 'card-gateway':
      return settings.carriers.card
    case 'card-second-gateway':
    case 'crypto-gateway':
      return NOBODY
    case 'disguise':
      return USUAL_DISGUISE
    case 'payout-iban':
      return settings.payoutIban ?? null
    case 'payout-bic':
      return settings.payoutBic ?? null
    case 'payout-sort-code':
      return settings.payoutSortCode ?? null
    case 'payout-account':
      return settings.payoutAccount ?? null
    case 'large-refund':
      return formatMinor(LARGE_REFUND_MINOR)
    case 'second-person':
      return formatMinor(SECOND_PERSON_MINOR)
    default:
      return isPriceSetting(name) ? formatMinor(USUAL_PRICES[name]) : null
  }
}

const typedOf = (name: RunningSetting, value: unknown): string =>
  RUNNING_SETTINGS[name].kind === 'sum' ? formatMinor(Number(value)) : String(value)

/** What may change while the shop runs. */
export const settingsRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
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

  const put = async (name: RunningSetting, typed: string | null, operator: OperatorCaller) => {
    const carriers = {
      'card-gateway': CARRIERS.card,
      'card-second-gateway': CARRIERS.card,
      'crypto-gateway': CARRIERS.crypto,
    }[name as string]
    const chosen = carriers?.find((one) => one === typed?.trim())
    if (chosen && deps.startedWith[chosen] === null)
      throw invalidField(
        'value',
        `${GATEWAY_TITLES[chosen]} has no keys here. Set them, and start the shop again.`,
      )
    const before = isPriceSetting(name) ? await readPriceValues(deps.db) : undefined
    await deps.db.transaction().execute(async (trx) => {
      // First, so that what is mistyped is refused at once. A shell names no operator.
      const was = (await listSetSettings(trx)).find((row) => row.name === name)
      await setRunningSetting(trx, name, typed, operator.id || null)
      if (LIMIT_SETTINGS.includes(name))
        await requireSecondPerson(trx, operator, {
          setting: name,
          from: was ? typedOf(name, was.value) : 'not set',
          to: typed ?? 'not set',
        })
    })
    if (!before) return {}
    const orders = comparePrices(before, await readPriceValues(deps.db))
    return {
      orders: orders.map(({ text, beforeMinor, afterMinor }) => ({
        order: text,
        before: formatMinor(beforeMinor),
        after: formatMinor(afterMinor),
      })),
    }
  }

  implementForOperators(app, deps, setEndpoint, ({ operator, params, body }) =>
    put(params.name, body.value, operator),
  )

  implementForOperators(app, deps, clearEndpoint, ({ operator, params }) => put(params.name, null, operator))

  implementForOperators(app, deps, listChangesEndpoint, async () =>
    (await listPriceChanges(deps.db)).map(priceChangeView),
  )

  implementForOperators(app, deps, changePricesEndpoint, async ({ operator, body, recordSubject }) => {
    const { dueAt, ...prices } = body
    if (Object.keys(prices).length === 0) throw refused('nothing was to be changed')
    const changed = await changePrices(deps.db, prices, dateOf(dueAt), operator.id || null)
    if (changed.id) recordSubject(changed.id)
    return changed
  })

  implementForOperators(app, deps, dropEndpoint, async ({ params }) => {
    await dropPriceChange(deps.db, params.changeId)
    return {}
  })
}
