import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { KeyboardEvent } from 'react'
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

const CELL =
  'px-3 py-2.5 max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:px-4 max-sm:py-1 max-sm:text-right first:pl-4 last:pr-4'

type CellProps<Row> = { column: ListColumn<Row>; row: Row; link: string | undefined }

const Cell = <Row,>({ column: { title, cell, isNumber, isName }, row, link }: CellProps<Row>) => (
  <td className={`${CELL} ${isNumber ? 'sm:text-right' : ''}`}>
    <span aria-hidden="true" className="text-sm text-quiet-ink sm:hidden">
      {title}
    </span>
    <span className="min-w-0">
      {isName && link ? (
        <Link to={link} data-row-link="" className="link font-medium">
          {cell(row)}
        </Link>
      ) : (
        cell(row)
      )}
    </span>
  </td>
)

type ListTableProps<Row> = Sorted & {
  caption: string
  columns: readonly ListColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  linkOf: ((row: Row) => string) | undefined
  /** Other rows are on their way. */
  isStale: boolean
}

/** On a phone its rows are cards. */
export const ListTable = <Row,>({
  caption,
  columns,
  rows,
  keyOf,
  linkOf,
  isStale,
  ...sorted
}: ListTableProps<Row>) => (
  <div
    className={`overflow-x-auto rounded-card border border-line bg-surface max-sm:border-0 max-sm:bg-transparent ${isStale ? 'opacity-60' : ''}`}
  >
    <table className="w-full text-left tabular-nums max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {columns.map((column) => (
            <Head key={column.name} column={column} {...sorted} />
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:grid max-sm:gap-3">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="border-t border-line hover:bg-hedge-tint max-sm:block max-sm:rounded-card max-sm:border max-sm:bg-surface max-sm:py-2"
          >
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} link={linkOf?.(row)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
