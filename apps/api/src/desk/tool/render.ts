import { type Column, pairsText } from '@hedgerow/contract/console/columns'
import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { say, sayFacts, sayTable } from '#desk/tool/print.ts'

/** What the operators' calls answer, for people: by the contract's columns, or else field by field. */
type Shown = Readonly<Record<string, unknown>>
type AnyColumn = Pick<Column<Record<string, never>>, 'title' | 'kind' | 'isExtra'> & { name: string }

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const isSum = (value: object): value is { minor: number; currency: never } =>
  'minor' in value && 'currency' in value

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || isSum(value) || isListOfPlain(value)

const isListOfPlain = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object')

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return ISO.test(value) ? formatDateTime(new Date(value)) : value
  if (isListOfPlain(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object')
    return isSum(value) ? formatCharged(value.minor, value.currency) : JSON.stringify(value)
  return String(value)
}

const cellOf = ({ name, kind }: AnyColumn, shown: Shown): string =>
  kind === 'pairs' ? pairsText((shown[name] ?? {}) as never) : textOf(shown[name])

export const sayRows = (columns: readonly AnyColumn[], rows: readonly Shown[]): void => {
  const listed = columns.filter(({ isExtra }) => !isExtra)
  sayTable(
    listed.map(({ title }) => title),
    rows.map((row) => listed.map((column) => cellOf(column, row))),
  )
}

export const sayOne = (columns: readonly AnyColumn[], shown: Shown): void =>
  sayFacts(
    columns
      .map((column) => [column.title, cellOf(column, shown)] as const)
      .filter(([, value]) => value !== ''),
  )

/** 'haveConnectionsEnded' is 'Have connections ended'. */
const titleOf = (name: string) =>
  name
    .replace(/^(is|has|can)(?=[A-Z])/, '')
    .replace(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`)
    .trim()
    .replace(/^./, (one) => one.toUpperCase())

const sayList = (title: string, list: readonly unknown[]): void => {
  say('')
  say(list.length === 0 ? `${title}: none` : `${title}:`)
  if (list.length === 0) return
  const names = [...new Set(list.flatMap((row) => Object.keys(row as object)))]
  sayTable(
    names.map(titleOf),
    list.map((row) => names.map((name) => textOf((row as Shown)[name]))),
  )
}

/** Sentences, each of which stands on its own line. */
const isProse = (value: unknown): value is string[] =>
  isListOfPlain(value) && value.some((one) => String(one).endsWith('.'))

/** What has no columns: its fields by their names, lists as tables below, and what has fields of its own under a heading. */
export const sayFields = (shown: Shown, heading = ''): void => {
  const entries = Object.entries(shown)
  const facts = entries
    .filter(([, value]) => isPlain(value) && !isProse(value))
    .map(([name, value]) => [titleOf(name), textOf(value)] as const)
    .filter(([, value]) => value !== '')
  if (heading && facts.length > 0) {
    say('')
    say(`${heading}:`)
  }
  if (facts.length > 0) sayFacts(facts)
  for (const [name, value] of entries) {
    const title = heading ? `${heading}, ${titleOf(name).toLowerCase()}` : titleOf(name)
    if (isProse(value)) for (const line of ['', ...value]) say(line)
    if (isPlain(value)) continue
    if (Array.isArray(value)) sayList(title, value)
    else sayFields(value as Shown, title)
  }
}
