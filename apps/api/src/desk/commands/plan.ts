import { formatDate } from '@hedgerow/domain/dates'
import { formatMinor, formatMoney } from '@hedgerow/domain/money'
import { ETHERNITY, PERIODS, PLAN_CURRENCY } from '@hedgerow/domain/plans'
import { type Command, InvalidArgumentError } from 'commander'
import {
  changePlan,
  findPlan,
  isAnother,
  listPlans,
  type PlanTerms,
  addPlan as putOnSale,
  retirePlan,
} from '#desk/backoffice/operate-plans.ts'
import type { ListedPlan } from '#desk/backoffice/plan-changes.queries.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readLine, readPlace, readSum, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

type Json = { json?: true }

const MOST_CONNECTIONS = 100

const readPeriod = (text: string): string => {
  const period = PERIODS.find((one) => one.toLowerCase() === text.toLowerCase())
  if (!period) throw new InvalidArgumentError(`Expected one of: ${PERIODS.join(', ')}.`)
  return period
}

const readConnections = (text: string): number => {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MOST_CONNECTIONS)
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_CONNECTIONS}.`)
  return count
}

const present = (row: ListedPlan) => ({
  id: row.id,
  layer: { id: row.layer_id, name: row.layer_name },
  name: row.name,
  period: row.period,
  connections: row.connections,
  price: { amount: formatMinor(row.price_minor), currency: PLAN_CURRENCY },
  place: row.position,
  retiredAt: row.retired_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

const stateOf = ({ retired_at }: ListedPlan) => (retired_at ? `retired ${formatDate(retired_at)}` : 'on sale')

/** Their places are the order in which they stand. */
const list = ({ all, json }: Json & { all?: true }) =>
  withDatabase(async (db) => {
    const plans = await listPlans({ db }, all ?? false)
    if (json) return sayJson({ plans: plans.map(present) })
    if (plans.length === 0) return say('No plan is on sale. To add one: plan add --help')
    sayTable(
      ['plan', 'layer', 'name', 'period', 'connections', 'price', ...(all ? ['state'] : [])],
      plans.map((row) => [
        row.id,
        row.layer_name,
        row.name,
        row.period,
        String(row.connections),
        formatMoney(row.price_minor, PLAN_CURRENCY),
        ...(all ? [stateOf(row)] : []),
      ]),
    )
  })

type Terms = { name: string; period: string; connections: number; price: number }

const termsOf = ({ name, period, connections, price }: Partial<Terms>): Partial<PlanTerms> =>
  Object.fromEntries(
    Object.entries({ name, period, connections, priceMinor: price }).filter(
      ([, value]) => value !== undefined,
    ),
  )

const add = ({ layer, price, place, json, ...terms }: Terms & Json & { layer: string; place?: number }) =>
  withDatabase(async (db) => {
    const id = await putOnSale({ db }, layer, { ...terms, priceMinor: price }, place)
    if (id === undefined) throw new Refusal(`There is no layer ${layer}. To list them: layer list`)
    recordSubject(id)
    if (json) return sayJson({ outcome: 'added', id })
    say(`Plan ${id} is on sale from now on.`)
  })

const none = (id: string) => new Refusal(`There is no plan ${id}. To list them: plan list`)

const change = (
  id: string,
  { place, yes, json, ...terms }: Partial<Terms> & Json & { place?: number; yes?: true },
  command: Command,
) => {
  const wanted = termsOf(terms)
  if (Object.keys(wanted).length === 0 && place === undefined)
    command.error('error: give at least one of --name, --period, --connections, --price and --place')
  return withDatabase(async (db) => {
    const plan = await findPlan({ db }, id)
    if (plan && !plan.retired_at && isAnother(plan, wanted))
      await ask(
        `${plan.name}, ${plan.period}, will be retired for good, and a new plan with the changes takes its place. Change it?`,
        yes,
      )
    const changed = await changePlan({ db }, id, wanted, place)
    if (changed.outcome === 'none') throw none(id)
    if (changed.outcome === 'retired-before')
      throw new Refusal(`Plan ${id} is no longer on sale. To list those that are: plan list`)
    if (json) return sayJson(changed)
    if (changed.outcome === 'followed')
      return say(
        `Plan ${id} is retired, and plan ${changed.id} is on sale in its place. What was bought stays as it was.`,
      )
    say(
      changed.outcome === 'moved'
        ? `Plan ${id} has its new place.`
        : `Nothing changed: plan ${id} was already like that.`,
    )
  })
}

const retire = (id: string, { yes, json }: Json & { yes?: true }) =>
  withDatabase(async (db) => {
    const plan = await findPlan({ db }, id)
    if (!plan) throw none(id)
    if (!plan.retired_at)
      await ask(`${plan.name}, ${plan.period}, will be taken off sale for good. Retire it?`, yes)
    const isRetired = !plan.retired_at && (await retirePlan({ db }, plan.id))
    if (json) return sayJson({ outcome: isRetired ? 'retired' : 'retired-before', id })
    say(
      isRetired
        ? `Plan ${id} is no longer on sale. Customers who bought it keep it.`
        : `Plan ${id} was already retired.`,
    )
  })

const WHICH = 'the id of the plan'
const PERIOD = `one of: ${PERIODS.join(', ')}; ${ETHERNITY} never ends`
const PLACE = 'its place in its layer; 1 is the first'

export const addPlan = (program: Command): void => {
  const plan = program
    .command('plan')
    .summary('price plans')
    .description(
      'Price plans. What was bought never changes: to change a plan, the old one is retired and a new one takes its place.',
    )
    .helpCommand(false)
  reads(plan.command('list'))
    .description('The plans on sale, in the order shown to customers.')
    .option('--all', 'include retired plans')
    .addOption(JSON_OPTION)
    .action(list)
  changes(plan.command('add'))
    .description('Put a new plan on sale. Prices are in pounds, VAT included.')
    .requiredOption('--layer <id>', 'the id of its layer')
    .requiredOption('--name <name>', 'its name', readLine)
    .requiredOption('--period <period>', PERIOD, readPeriod)
    .requiredOption('--connections <count>', 'how many connections it includes', readConnections)
    .requiredOption('--price <sum>', 'like 24.00', readSum)
    .option('--place <place>', PLACE, readPlace)
    .addOption(JSON_OPTION)
    .action(add)
  changes(plan.command('change'))
    .description(
      'Retire a plan and put a new one with your changes on sale in its place. With --place alone, the plan itself stays.',
    )
    .argument('<id>', WHICH)
    .option('--name <name>', 'its name', readLine)
    .option('--period <period>', PERIOD, readPeriod)
    .option('--connections <count>', 'how many connections it includes', readConnections)
    .option('--price <sum>', 'like 24.00', readSum)
    .option('--place <place>', PLACE, readPlace)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(change)
  changes(plan.command('retire'))
    .description('Take a plan off sale for good. Customers who bought it keep it.')
    .argument('<id>', WHICH)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(retire)
}
