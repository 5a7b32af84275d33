import type { Key, ReactNode } from 'react'

export type Column<Row> = {
  /** Unique in the table: the words above the column, and beside the value in a card. */
  header: string
  cell: (row: Row) => ReactNode
  /** Sums stand flush right. */
  isNumber?: boolean
  /** The values speak for themselves, as buttons do: the header is for screen readers only. */
  isBare?: boolean
  /** The value names its row. */
  isName?: boolean
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  /** With a few narrow columns: a phone takes them as they are, where cards would only be longer to read. */
  isShort?: boolean
}

/** A short table's classes; and what the others add, to become cards on a phone, two abreast on a tablet. */
const SHORT = {
  frame: '@container',
  table: '',
  head: '',
  body: '',
  row: '',
  cell: '@max-[17rem]:wrap-anywhere px-1 py-3 first:pl-3 last:pr-3 sm:px-4 sm:first:pl-4 sm:last:pr-4',
  heading: '@max-[17rem]:wrap-anywhere px-1 first:pl-3 last:pr-3 sm:px-4 sm:first:pl-4 sm:last:pr-4',
}
const CARDS = {
  frame: 'max-lg:border-0 max-lg:bg-transparent',
  table: 'max-lg:block',
  head: 'max-lg:sr-only',
  body: 'max-lg:grid max-lg:gap-3 md:max-lg:grid-cols-2',
  row: 'max-lg:block max-lg:rounded-card max-lg:border max-lg:bg-surface max-lg:px-4 max-lg:py-2',
  cell: 'max-lg:flex-wrap max-lg:items-baseline max-lg:justify-between max-lg:gap-x-4 max-lg:py-1.5 lg:px-3 lg:py-3',
  heading: 'lg:px-3',
}
const ENDS = 'lg:first:pl-4 lg:last:pr-4'

const TABLE = {
  table: {},
  group: {},
  row: {},
  header: { scope: 'col' },
  name: { scope: 'row' },
  cell: {},
}
/** Said once more than HTML needs: what is not laid out as a table is none any more to some screen readers. */
const STILL_A_TABLE = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader', scope: 'col' },
  name: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
}

type CellProps<Row> = { column: Column<Row>; row: Row; isShort: boolean }

const Cell = <Row,>({ column: { header, cell, isNumber, isBare, isName }, row, isShort }: CellProps<Row>) => {
  const content = cell(row)
  const Tag = isName ? 'th' : 'td'
  const role = isShort ? TABLE : STILL_A_TABLE
  const look = `${isNumber ? 'text-right' : ''} ${isName ? 'font-semibold' : ''} ${ENDS}`
  if (isShort) {
    return (
      <Tag {...(isName ? role.name : role.cell)} className={`${SHORT.cell} ${look}`}>
        {content}
      </Tag>
    )
  }
  return (
    <Tag
      {...(isName ? role.name : role.cell)}
      // Nothing to show takes no room in a card.
      className={`${content ? 'max-lg:flex' : 'max-lg:hidden'} ${CARDS.cell} ${look}`}
    >
      {!isBare && (
        <span aria-hidden="true" className="shrink-0 text-sm text-quiet-ink lg:hidden">
          {header}
        </span>
      )}
      <span
        className={
          isBare ? 'block max-lg:grid max-lg:grow lg:text-right' : 'ml-auto min-w-0 max-lg:text-right lg:ml-0'
        }
      >
        {content}
      </span>
    </Tag>
  )
}

/** One look of a table; where it would not fit it becomes cards. */
export const Table = <Row,>({ caption, columns, rows, keyOf, isShort = false }: TableProps<Row>) => {
  const look = isShort ? SHORT : CARDS
  const role = isShort ? TABLE : STILL_A_TABLE
  return (
    <div className={`rounded-card border border-line bg-surface ${look.frame}`}>
      <table {...role.table} className={`w-full text-left tabular-nums ${look.table}`}>
        <caption className="sr-only">{caption}</caption>
        <thead {...role.group} className={look.head}>
          <tr {...role.row}>
            {columns.map(({ header, isNumber, isBare }) => (
              <th
                key={header}
                {...role.header}
                className={`py-3 align-bottom text-sm font-medium text-quiet-ink ${look.heading} ${ENDS} ${isNumber ? 'text-right' : ''}`}
              >
                {isBare ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role.group} className={look.body}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...role.row} className={`border-t border-line ${look.row}`}>
              {columns.map((column) => (
                <Cell key={column.header} column={column} row={row} isShort={isShort} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
