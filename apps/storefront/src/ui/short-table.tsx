import type { ReactNode } from 'react'

type Column<Row> = { heading: string; cell: (row: Row) => ReactNode }

type ShortTableProps<Row> = {
  caption: string
  /** The first one names its row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

/** A table with a few narrow columns: it fits a phone as it is, where cards would only be longer to read. */
export const ShortTable = <Row,>({ caption, columns, rows, keyOf }: ShortTableProps<Row>) => {
  const [first, ...others] = columns
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table className="w-full tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-line text-sm text-quiet-ink">
          <tr>
            {columns.map(({ heading }) => (
              <th
                key={heading}
                scope="col"
                className="px-2 py-3 text-right align-bottom font-medium first:pl-4 first:text-left last:pr-4 sm:px-4"
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row" className="py-3 pr-2 pl-4 text-left font-semibold">
                {first.cell(row)}
              </th>
              {others.map(({ heading, cell }) => (
                <td key={heading} className="px-2 py-3 text-right last:pr-4 sm:px-4">
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
