import type { Column } from '@hedgerow/contract/console/columns'
import type { Sum } from '@hedgerow/contract/console/lists'
import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { say, sayFacts, sayTable } from '#desk/tool/print.ts'

/** What the operators' calls answer, for people: the columns are the contract's. */
type Shown = Readonly<Record<string, unknown>>
type AnyColumn = Column<Record<string, never>>

const CELLS: Readonly<Record<AnyColumn['kind'], (value: never) => string>> = {
  id: String,
  word: String,
  text: String,
  sum: ({ minor, currency }: Sum) => formatCharged(minor, currency),
  time: (value: string) => formatDateTime(new Date(value)),
  yes: (value: boolean) => (value ? 'yes' : 'no'),
}

const cellOf = ({ name, kind }: AnyColumn, shown: Shown): string => {
  const value = shown[name]
  return value === null || value === undefined ? '' : CELLS[kind](value as never)
}

export const sayRows = (columns: readonly AnyColumn[], rows: readonly Shown[]): void => {
  const listed = columns.filter(({ isExtra }) => !isExtra)
  sayTable(
    listed.map(({ title }) => title),
    rows.map((row) => listed.map((column) => cellOf(column, row))),
  )
}

export const sayOne = (columns: readonly AnyColumn[], shown: Shown): void =>
  sayFacts(
    columns.map((column) => [column.title, cellOf(column, shown)] as const).filter(([, text]) => text !== ''),
  )

const titleOf = (name: string) =>
  name.replace(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`).replace(/^./, (one) => one.toUpperCase())

const textOf = (value: unknown): string => (value === null ? '' : String(value))

/** What has no columns: its fields by their names, and what is a list as a table. */
export const sayPlain = (shown: Shown): void => {
  const entries = Object.entries(shown)
  const facts = entries.filter(([, value]) => typeof value !== 'object')
  if (facts.length > 0) sayFacts(facts.map(([name, value]) => [titleOf(name), textOf(value)] as const))
  for (const [name, value] of entries) {
    if (!Array.isArray(value)) continue
    if (value.length === 0) {
      say(`${titleOf(name)}: none`)
      continue
    }
    const names = Object.keys(value[0] as object)
    say(`${titleOf(name)}:`)
    sayTable(
      names.map(titleOf),
      value.map((row) => names.map((one) => textOf((row as Shown)[one]))),
    )
  }
}
