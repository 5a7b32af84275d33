import { readDisguise } from '@hedgerow/domain/disguise'
import { CARRIERS, type GatewayName } from '@hedgerow/domain/gateways'
import { REACH_CHECKS } from '@hedgerow/domain/node-reach'
import { PRICE_SETTINGS, type PriceValues, pricesOf } from '@hedgerow/domain/price-settings'
import type { Prices } from '@hedgerow/domain/pricing'
import {
  type Form,
  RUNNING_SETTING_NAMES,
  RUNNING_SETTINGS,
  type RunningSetting,
  type RunningValue,
  readRunningSetting,
} from '@hedgerow/domain/running-settings'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '#platform/database/client.ts'
import { invalidField } from '#platform/http/problems.ts'
import {
  deleteRunningSetting,
  listRunningSettings,
  putRunningSetting,
  silentOf,
} from '#platform/running-settings/running-settings.queries.ts'
import { ACCOUNT_PARTS, readAccountPart } from '#platform/settings/bank-account.ts'
import type { Carriers, Settings } from '#platform/settings.ts'

/** What operators have set, as this process knows it: kept right by the database's notifications. */
export type RunningSettings = {
  /** Of the calculator, as far as they are set. */
  prices: () => PriceValues
  number: (name: RunningSetting) => number | undefined
  text: (name: RunningSetting) => string | undefined
  /** The gateway for cards that does not answer now. */
  silent: () => GatewayName | undefined
  /** Reads all of them again. */
  load: () => Promise<void>
  /** Notified as the caches of records are; what was set meanwhile is read once notifications arrive again. */
  forget: () => void
  setListening: (isListening: boolean) => void
}

const priceValues = (values: ReadonlyMap<string, RunningValue>): PriceValues =>
  Object.fromEntries(
    PRICE_SETTINGS.flatMap((name) => {
      const value = values.get(name)
      return typeof value === 'number' ? [[name, value]] : []
    }),
  )

const isKnown = (name: string): name is RunningSetting =>
  RUNNING_SETTING_NAMES.includes(name as RunningSetting)

export const createRunningSettings = (db: Db, log: Pick<FastifyBaseLogger, 'warn'>): RunningSettings => {
  let silent: GatewayName | undefined
  let values: ReadonlyMap<RunningSetting, RunningValue> = new Map()
  let begun = 0
  let known = 0
  const load = async () => {
    const turn = ++begun
    const rows = await listRunningSettings(db)
    // One that began later has answered before: what this one read may be older.
    if (turn < known) return
    known = turn
    silent = silentOf(rows)
    values = new Map(rows.flatMap(({ name, value }) => (isKnown(name) ? [[name, value] as const] : [])))
  }
  const again = () => {
    void load().catch((err: unknown) => log.warn({ err }, 'the running settings could not be read'))
  }
  return {
    number: (name) => {
      const value = values.get(name)
      return typeof value === 'number' ? value : undefined
    },
    text: (name) => {
      const value = values.get(name)
      return typeof value === 'string' ? value : undefined
    },
    silent: () => silent,
    prices: () => priceValues(values),
    load,
    forget: again,
    setListening: (isListening) => {
      if (isListening) again()
    },
  }
}

/** One whose keys were taken away carries nothing new. */
const cardGatewaysOf = (settings: Settings, running: RunningSettings): Settings['cardGateways'] => {
  const find = (setting: 'card-gateway' | 'card-second-gateway') =>
    CARRIERS.card.find((name) => name === running.text(setting) && settings[name] !== null)
  const first = find('card-gateway') ?? settings.carriers.card
  const second = find('card-second-gateway')
  return { first, second: second && second !== first ? second : null }
}

const carriersOf = (settings: Settings, running: RunningSettings): Carriers => {
  const { first, second } = cardGatewaysOf(settings, running)
  const card = second && running.silent() === first ? second : first
  const crypto = CARRIERS.crypto.find(
    (name) => name === running.text('crypto-gateway') && settings[name] !== null,
  )
  return { ...settings.carriers, card, ...(crypto ? { crypto } : {}) }
}

/** One that cannot be read is a later version's. */
const disguiseOf = (typed: string | undefined): Settings['disguise'] | undefined => {
  const read = typed === undefined ? undefined : readDisguise(typed)
  return read && 'disguise' in read ? read.disguise : undefined
}

/** The settings of the start, of which some are read anew each time: what an operator has set goes first. */
export const withRunning = (settings: Settings, running: RunningSettings): Settings =>
  Object.defineProperties(
    { ...settings },
    {
      operatorEmail: {
        enumerable: true,
        get: () => running.text('operator-email') ?? settings.operatorEmail,
      },
      statementDescriptor: {
        enumerable: true,
        get: () => running.text('statement-descriptor') ?? settings.statementDescriptor,
      },
      nodeReachCheck: {
        enumerable: true,
        get: () =>
          REACH_CHECKS.find((one) => one === running.text('node-reach-check')) ?? settings.nodeReachCheck,
      },
      partnerHoldDays: {
        enumerable: true,
        get: () => running.number('partner-hold-days') ?? settings.partnerHoldDays,
      },
      partnerMinimumSpend: {
        enumerable: true,
        get: () => running.number('partner-minimum-spend') ?? settings.partnerMinimumSpend,
      },
      expiredGraceDays: {
        enumerable: true,
        get: () => running.number('expired-grace-days') ?? settings.expiredGraceDays,
      },
      largeRefundMinor: {
        enumerable: true,
        get: () => running.number('large-refund') ?? settings.largeRefundMinor,
      },
      secondPersonMinor: {
        enumerable: true,
        get: () => running.number('second-person') ?? settings.secondPersonMinor,
      },
      disguise: {
        enumerable: true,
        get: () => {
          const disguise = disguiseOf(running.text('disguise'))
          return disguise === undefined ? settings.disguise : disguise
        },
      },
      carriers: { enumerable: true, get: () => carriersOf(settings, running) },
      cardGateways: { enumerable: true, get: () => cardGatewaysOf(settings, running) },
      prices: { enumerable: true, get: () => pricesOf(running.prices()) },
    },
  )

export const listSetSettings = listRunningSettings

export {
  findSilence,
  noteSilence,
  SILENT_AFTER,
} from '#platform/running-settings/running-settings.queries.ts'

/** As they are set now, for a program that keeps nothing in mind. */
export const readPriceValues = async (db: Db): Promise<PriceValues> =>
  priceValues(new Map((await listRunningSettings(db)).map(({ name, value }) => [name, value])))

export const readPrices = async (db: Db): Promise<Prices> => pricesOf(await readPriceValues(db))

/** As it was typed; null takes it away, so that the shop goes by its start again. Throws 'invalid'. */
export const setRunningSetting = async (
  db: Db,
  name: RunningSetting,
  typed: string | null,
  operatorId: string | null,
): Promise<void> => {
  if (typed === null) return deleteRunningSetting(db, name)
  const read = readRunningSetting(name, typed)
  if ('fault' in read) throw invalidField('value', read.fault)
  const form: Form = RUNNING_SETTINGS[name]
  if (form.kind === 'account' && readAccountPart(form.part, String(read.value)) === undefined)
    throw invalidField('value', `It ${ACCOUNT_PARTS[form.part].fault}.`)
  await putRunningSetting(db, name, read.value, operatorId)
}
