import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMinor } from '@hedgerow/domain/money'
import { comparePrices, isPriceSetting, USUAL_PRICES } from '@hedgerow/domain/price-settings'
import {
  RUNNING_SETTING_NAMES,
  RUNNING_SETTINGS,
  type RunningSetting,
  readRunningSetting,
} from '@hedgerow/domain/running-settings'
import { type Command, InvalidArgumentError } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import {
  listSetSettings,
  readPriceValues,
  setRunningSetting,
} from '#platform/running-settings/running-settings.ts'

type Json = { json?: true }

const readName = (text: string): RunningSetting => {
  const name = RUNNING_SETTING_NAMES.find((one) => one === text)
  if (!name) throw new InvalidArgumentError(`Expected one of: ${RUNNING_SETTING_NAMES.join(', ')}.`)
  return name
}

const asTyped = (name: RunningSetting, value: unknown): string =>
  RUNNING_SETTINGS[name].kind === 'sum' ? formatMinor(Number(value)) : String(value)

const list = ({ json }: Json) =>
  withDatabase(async (db) => {
    const rows = new Map((await listSetSettings(db)).map((row) => [row.name, row]))
    const settings = RUNNING_SETTING_NAMES.map((name) => {
      const row = rows.get(name)
      return {
        name,
        value: row ? asTyped(name, row.value) : null,
        setAt: row?.set_at ?? null,
        by: row?.by ?? null,
      }
    })
    if (json) return sayJson({ settings })
    const usual = (name: RunningSetting) =>
      isPriceSetting(name) ? `${formatMinor(USUAL_PRICES[name])} (not set)` : 'as the shop was started'
    sayTable(
      ['setting', 'value', 'set', 'by'],
      settings.map(({ name, value, setAt, by }) => [
        name,
        value ?? usual(name),
        setAt ? formatDateTime(setAt) : '',
        by ?? '',
      ]),
    )
  })

const put = async (name: RunningSetting, typed: string | null, yes: true | undefined): Promise<void> =>
  withDatabase(async (db) => {
    const read = typed === null ? undefined : readRunningSetting(name, typed)
    if (read && 'fault' in read) throw new Refusal(`${name}: ${read.fault}`)
    if (isPriceSetting(name)) {
      const before = await readPriceValues(db)
      const value = read ? Number(read.value) : USUAL_PRICES[name]
      const examples = comparePrices(before, { ...before, [name]: value }).map(
        ({ text, beforeMinor, afterMinor }) =>
          `${text} will cost ${formatMinor(afterMinor)} instead of ${formatMinor(beforeMinor)}`,
      )
      await ask(`${examples.join('; ')}. Go on?`, yes)
    }
    await setRunningSetting(db, name, typed, null)
    say(
      typed === null
        ? `${name} is not set any more.`
        : `${name} is ${asTyped(name, read?.value)} from now on. Orders that are there keep what they were made with.`,
    )
  })

export const addSetting = (program: Command): void => {
  const setting = program
    .command('setting')
    .summary('prices of the calculator, the announcement, and what else may change while the shop runs')
    .description('What may change while the shop runs. Every process goes by it at once.')
    .helpCommand(false)
  reads(setting.command('list')).description('What is set.').addOption(JSON_OPTION).action(list)
  changes(setting.command('set'))
    .description('Set one. For a price you are shown what it does to an order, and asked.')
    .argument('<setting>', 'one of those of setting list, like price-day', readName)
    .argument('<value>', 'an amount like 1.20, a number, or a line')
    .addOption(YES_OPTION)
    .action((name: RunningSetting, typed: string, { yes }: { yes?: true }) => put(name, typed, yes))
  changes(setting.command('clear'))
    .description('Go by the default again, or by what the shop was started with.')
    .argument('<setting>', 'its name', readName)
    .addOption(YES_OPTION)
    .action((name: RunningSetting, { yes }: { yes?: true }) => put(name, null, yes))
}
