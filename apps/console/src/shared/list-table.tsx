import { ArrowDown, ArrowUp, ArrowUpDown } from '@hedgerow/ui/icons.tsx'
import { type KeyboardEvent, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import type { ListColumn } from '#shared/list-columns.tsx'

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowDown', 1],
  ['j', 1],
  ['ArrowUp', -1],
  ['k', -1],
])

/** Up and down, or k and j, from row to row; Enter follows the link by itself. */
export const moveAmongRows = (event: KeyboardEvent<HTMLElement>): void => {
  const step = STEPS.get(event.key)
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  links[at + step]?.focus()
}

type Sorted = { sort: string; onSort: (sort: string) => void }
type HeadProps<Row> = Sorted & { column: ListColumn<Row> }

const SORTED = {
  ascending: ArrowUp,
  descending: ArrowDown,
  none: ArrowUpDown,
} as const

const sortedAs = (word: string, sort: string): keyof typeof SORTED => {
  if (sort === word) return 'ascending'
  return sort === `-${word}` ? 'descending' : 'none'
}

const Head = <Row,>({ column: { title, sort: word, isAct, isNumber }, sort, onSort }: HeadProps<Row>) => {
  const sorted = word && sortedAs(word, sort)
  const Arrow = sorted && SORTED[sorted]
  return (
    <th
      scope="col"
      aria-sort={sorted || undefined}
      className={`px-3 py-2 align-middle text-sm font-medium whitespace-nowrap text-quiet-ink first:pl-4 last:pr-4 ${isNumber ? 'text-right' : ''}`}
    >
      {isAct && <span className="sr-only">{title || 'Acts'}</span>}
      {!isAct && !Arrow && title}
      {!isAct && Arrow && (
        <button
          type="button"
          onClick={() => onSort(sorted === 'descending' ? word : `-${word}`)}
          className="inline-flex min-h-6 items-center gap-1 font-medium hover:text-hedge"
        >
          {title}
          <Arrow className="size-3.5" aria-hidden="true" />
        </button>
      )}
    </th>
  )
}

const PADDING = 'px-3 py-2.5 first:pl-4 last:pr-4'

type CellProps<Row> = { column: ListColumn<Row>; row: Row; link: string | undefined }

const Value = <Row,>({ column: { cell, isName }, row, link }: CellProps<Row>) =>
  isName && link ? (
    <Link to={link} data-row-link="" className="link font-medium">
      {cell(row)}
    </Link>
  ) : (
    cell(row)
  )

const Cell = <Row,>(props: CellProps<Row>) => {
  const { isNumber, below } = props.column
  return (
    <td className={`${PADDING} ${isNumber ? 'text-right' : ''} ${below ? 'w-full max-w-0' : ''}`}>
      <Value {...props} />
      {below && <div className="truncate text-sm text-quiet-ink">{below(props.row)}</div>}
    </td>
  )
}

type RowsProps<Row> = {
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  linkOf: ((row: Row) => string) | undefined
}

const ROW = 'border-t border-line first:border-t-0 focus-within:bg-hedge-tint hover:bg-hedge-tint'

/** The second line of a row on a phone: one line, whatever there is to say. */
const Rest = <Row,>({ columns, row }: { columns: readonly ListColumn<Row>[]; row: Row }) => (
  <div className="flex items-center gap-x-2 overflow-hidden text-sm whitespace-nowrap text-quiet-ink">
    {columns.map(({ name, title, cell, isNumber, onPhone }, at) => (
      <span key={name} className="shrink-0">
        {at > 0 && <span aria-hidden="true">· </span>}
        {(isNumber || onPhone === 'titled') && `${title} `}
        {cell(row)}
      </span>
    ))}
  </div>
)

/** Two lines a row. */
const PhoneRows = <Row,>({ columns, rows, keyOf, linkOf }: RowsProps<Row>) => {
  // It leads to the row's page, whatever it is.
  const name = columns.find(({ isName }) => isName) ?? columns[0]
  const others = columns.filter((column) => column !== name && !column.isAct && column.onPhone !== 'hidden')
  const lead =
    others.find(({ onPhone }) => onPhone === 'lead') ??
    others.find(({ isNumber, onPhone }) => isNumber && !onPhone)
  const rest = others.filter((column) => column !== lead)
  return rows.map((row) => (
    <tr key={keyOf(row)} className={ROW}>
      <td className="w-full max-w-0 px-4 py-2.5">
        <div className="flex items-baseline justify-between gap-3">
          <div className="min-w-0 truncate">
            {name && <Value column={name} row={row} link={linkOf?.(row)} />}
          </div>
          {lead && <div className="shrink-0">{lead.cell(row)}</div>}
        </div>
        {name?.below ? (
          <div className="truncate text-sm text-quiet-ink">{name.below(row)}</div>
        ) : (
          <Rest columns={rest} row={row} />
        )}
        {columns
          .filter(({ isAct }) => isAct)
          .map(({ name: act, cell }) => (
            <div key={act} className="mt-1">
              {cell(row)}
            </div>
          ))}
      </td>
    </tr>
  ))
}

const PHONE = '(max-width: 39.99rem)'
const onPhoneChange = (tell: () => void) => {
  const query = window.matchMedia?.(PHONE)
  query?.addEventListener('change', tell)
  return () => query?.removeEventListener('change', tell)
}
const useIsPhone = () =>
  useSyncExternalStore(onPhoneChange, () => window.matchMedia?.(PHONE).matches ?? false)

type ListTableProps<Row> = Sorted &
  RowsProps<Row> & {
    caption: string
    /** Other rows are on their way. */
    isStale: boolean
  }

/** A table; on a phone two lines a row. */
export const ListTable = <Row,>({ caption, isStale, sort, onSort, ...list }: ListTableProps<Row>) => {
  const { columns, rows, keyOf, linkOf } = list
  const isPhone = useIsPhone()
  return (
    <div
      className={`overflow-x-auto rounded-card border border-line bg-surface ${isStale ? 'opacity-60' : ''}`}
    >
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">{caption}</caption>
        {!isPhone && (
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.name} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {isPhone ? (
            <PhoneRows {...list} />
          ) : (
            rows.map((row) => (
              <tr key={keyOf(row)} className="border-t border-line hover:bg-hedge-tint">
                {columns.map((column) => (
                  <Cell key={column.name} column={column} row={row} link={linkOf?.(row)} />
                ))}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </div>
  )
}
