import { type Column, pairsText } from '@hedgerow/contract/console/columns'
import type { OperatorField, OperatorFields } from '@hedgerow/contract/console/fields'
import type { Sum } from '@hedgerow/contract/console/lists'
import type { ReactNode } from 'react'
import type { Filter } from '#shared/filter-bar.tsx'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Money } from '#shared/money.tsx'
import { Time } from '#shared/time.tsx'

const CELLS: Readonly<Record<Column<never>['kind'], (value: never) => ReactNode>> = {
  id: (value: string) => value.slice(0, 8),
  word: (value: ReactNode) => value,
  text: (value: string) => value,
  sum: (value: Sum) => <Money of={value} />,
  time: (value: string) => <Time at={value} />,
  yes: (value: boolean) => (value ? 'yes' : 'no'),
  pairs: pairsText,
}

/** A date alone does not say of what. */
const ON_PHONE: Partial<Record<Column<never>['kind'], NonNullable<ListColumn<never>['onPhone']>>> = {
  id: 'hidden',
  time: 'titled',
  yes: 'titled',
}

type Cells<Row> = Partial<Record<keyof Row & string, (row: Row) => ReactNode>>

/** The columns of the contract as the page shows them; `cells` are those that are more than their value. */
export const columnsFor = <Row,>(
  columns: readonly Column<Row>[],
  cells: Cells<Row> = {},
): ListColumn<Row>[] =>
  columns.map(({ name, title, kind, sort, isExtra }, at) => ({
    name,
    title,
    ...(sort ? { sort } : {}),
    ...(isExtra ? { isExtra } : {}),
    ...(at === 0 ? { isName: true } : {}),
    ...(kind === 'sum' ? { isNumber: true } : {}),
    ...(ON_PHONE[kind] ? { onPhone: ON_PHONE[kind] } : {}),
    cell: (row) => cells[name]?.(row) ?? (row[name] === null ? '–' : CELLS[kind](row[name] as never)),
  }))

const filterOf = ([name, { kind, label, options = [] }]: [string, OperatorField]): Filter => {
  // An id comes by a link from elsewhere, a sum by a typed address.
  if (name.endsWith('Id') || kind === 'sum') return { name, label, kind: 'hidden' }
  if (kind === 'choice') return { name, label, kind, options }
  if (kind === 'tick') return { name, label, kind: 'choice', options: [['true', 'Yes']] }
  if (kind === 'moment') return { name, label, kind: 'day' }
  return { name, label, kind: kind === 'day' ? 'plain-day' : 'text' }
}

/** What a list of the contract is filtered by, as the page shows it. */
export const filtersFor = (fields: OperatorFields = {}): Filter[] => Object.entries(fields).map(filterOf)
