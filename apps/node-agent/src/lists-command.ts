import type { FilterList } from '@hedgerow/domain/filters'
import { SOURCES } from '#lists/sources.ts'
import { type ListOrder, type Outcome, updateLists } from '#lists/update-lists.ts'
import { readSettings, type Settings } from '#settings.ts'

const USAGE = 'Usage: agent lists sources | agent lists update [--force]'

const ordersOf = ({ listUrls, listsFloor: floor }: Settings): ListOrder[] => {
  return (Object.keys(listUrls) as FilterList[])
    .map((list) => ({ list, urls: listUrls[list], floor }))
    .filter((order) => order.urls.length > 0)
}

const sentence = (outcome: Outcome): string => {
  const { list } = outcome
  if (outcome.kind === 'same') return `${list}: nothing new`
  if (outcome.kind === 'kept') return `${list}: the list that is there stays: ${outcome.why}`
  const { names, badLines, suffixes } = outcome
  return [
    `${list}: ${names} names`,
    ...(badLines > 0 ? [`${badLines} lines could not be read`] : []),
    ...(suffixes > 0 ? [`${suffixes} public suffixes such as co.uk were left out`] : []),
  ].join(', ')
}

const sayUsage = (): number => {
  console.error(USAGE)
  return 2
}

/** What an operator, or the timer, does with the lists. Returns the exit code: 1 where a list stays that should have been replaced. */
export const runListsCommand = async (words: readonly string[]): Promise<number> => {
  const [what, ...rest] = words
  if (what === 'sources' && rest.length === 0) {
    for (const { list, name, url, licence, what } of SOURCES)
      console.log(`${list.padEnd(9)} ${name}\n          ${url}\n          ${what}. Licence: ${licence}\n`)
    return 0
  }
  const isForced = rest.length === 1 && rest[0] === '--force'
  if (what !== 'update' || (rest.length > 0 && !isForced)) return sayUsage()
  const settings = readSettings(process.env)
  const orders = ordersOf(settings)
  if (orders.length === 0) {
    console.log('No list is fetched: AGENT_LIST_ADS, AGENT_LIST_MALICIOUS and AGENT_LIST_FAMILY are not set.')
    return 0
  }
  const shop = new URL(settings.apiUrl).hostname
  const options = { listsDir: settings.listsDir, allowed: [shop, ...settings.listsAllowed], isForced }
  const outcomes = await updateLists(orders, options)
  for (const outcome of outcomes) console.log(sentence(outcome))
  return outcomes.some(({ kind }) => kind === 'kept') ? 1 : 0
}
