import type { Key, ReactNode } from 'react'

export type Column<Row> = {
  /** Unique in the table: the words above the column, and beside the value in a card. */
  header: string
  cell: (row: Row) => ReactNode
  /** Sums stand flush right. */
  isNumber?: boolean
  /** The values speak for themselves, as buttons do: the header is for screen readers only. */
  isBare?: boolean
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
}

/** Said once more than HTML needs: what is not laid out as a table is none any more to some screen readers. */
const ROLE = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
}

const Cell = <Row,>({
  column: { header, cell, isNumber, isBare },
  row,
}: {
  column: Column<Row>
  row: Row
}) => {
  const content = cell(row)
  // Nothing to show takes no room in a card.
  const display = content ? 'flex md:table-cell' : 'hidden md:table-cell'
  return (
    <td
      {...ROLE.cell}
      className={`${display} items-baseline justify-between gap-4 py-1.5 md:border-t md:border-line md:px-3 md:py-3 md:first:pl-0 md:last:pr-0 ${isNumber ? 'tabular-nums md:text-right' : ''}`}
    >
      {!isBare && (
        <span aria-hidden="true" className="shrink-0 text-sm text-quiet-ink md:hidden">
          {header}
        </span>
      )}
      <span className={isBare ? 'grid grow md:block md:text-right' : 'min-w-0 text-right md:text-left'}>
        {content}
      </span>
    </td>
  )
}

/** A table that becomes cards on a phone. */
export const Table = <Row,>({ caption, columns, rows, keyOf }: TableProps<Row>) => (
  <table {...ROLE.table} className="block w-full text-left md:table">
    <caption className="sr-only">{caption}</caption>
    <thead {...ROLE.group} className="sr-only md:not-sr-only md:table-header-group">
      <tr {...ROLE.row}>
        {columns.map(({ header, isNumber, isBare }) => (
          <th
            key={header}
            {...ROLE.header}
            scope="col"
            className={`px-3 pb-2 text-sm font-medium text-quiet-ink first:pl-0 last:pr-0 ${isNumber ? 'text-right' : ''}`}
          >
            {isBare ? <span className="sr-only">{header}</span> : header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody {...ROLE.group} className="block space-y-3 md:table-row-group">
      {rows.map((row) => (
        <tr
          key={keyOf(row)}
          {...ROLE.row}
          className="block rounded-card border border-line bg-surface px-4 py-2 md:table-row md:border-x-0 md:bg-transparent"
        >
          {columns.map((column) => (
            <Cell key={column.header} column={column} row={row} />
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
