import { ApiError } from '@hedgerow/contract/client'
import { Button } from '@hedgerow/ui/button.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type ColumnDef,
  type ColumnVisibilityState,
  columnVisibilityFeature,
  FlexRender,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ArrowUpDown, Columns3, Download } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { api, type CallName } from '#lib/api.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { type Filter, FilterBar } from '#shared/filter-bar.tsx'

export type ListColumn<Row> = {
  /** As the file calls it, too. */
  name: string
  title: string
  cell: (row: Row) => ReactNode
  /** The word that the list is sorted by, where it can be. */
  sort?: string
  isNumber?: boolean
  /** Its value names the row, and leads to its page. */
  isName?: boolean
  /** To be chosen by those who want it. */
  isExtra?: boolean
  /** What can be done about the row: always there, and not in the file. */
  isAct?: boolean
}

type ListProps<Row> = {
  /** The call that answers a page, and the address of the file with all that it finds. */
  call: CallName
  file?: string
  caption: string
  columns: readonly ListColumn<Row>[]
  filters?: readonly Filter[]
  /** What is always asked, and not for the operator to choose. */
  fixed?: Readonly<Record<string, string>>
  keyOf: (row: Row) => string
  linkOf?: (row: Row) => string
  live?: readonly string[]
  empty?: { title: string; text?: ReactNode }
}

type Page<Row> = { rows: Row[]; next: string | null }

/** Beside the filters: what is done with the list as a whole. */
const TOOL =
  'inline-flex min-h-12 items-center gap-2 rounded-field px-3 font-semibold text-hedge hover:bg-hedge-tint'

const FEATURES = tableFeatures({ columnVisibilityFeature })

const hiddenAtFirst = <Row,>(columns: readonly ListColumn<Row>[]): ColumnVisibilityState =>
  Object.fromEntries(columns.flatMap(({ name, isExtra }) => (isExtra ? [[name, false]] : [])))

/** Which columns an operator has chosen in this browser. */
const useChosenColumns = <Row,>(list: string, columns: readonly ListColumn<Row>[]) => {
  const key = `columns of ${list}`
  const [chosen, setChosen] = useState<ColumnVisibilityState>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '') as ColumnVisibilityState
    } catch {
      return hiddenAtFirst(columns)
    }
  })
  const choose = (name: string, isShown: boolean) => {
    const next = { ...chosen, ...Object.fromEntries([[name, isShown]]) }
    localStorage.setItem(key, JSON.stringify(next))
    setChosen(next)
  }
  return { chosen, choose }
}

type ChooserProps = {
  columns: readonly ListColumn<never>[]
  chosen: ColumnVisibilityState
  onChoose: (name: string, isShown: boolean) => void
}

const ColumnChooser = ({ columns, chosen, onChoose }: ChooserProps) => {
  const id = useId()
  return (
    <>
      <button type="button" popoverTarget={id} className={TOOL}>
        <Columns3 className="size-4" aria-hidden="true" />
        Columns
      </button>
      <div id={id} popover="auto" className="menu menu-end p-3">
        <fieldset>
          <legend className="mb-1 text-sm text-quiet-ink">Columns shown</legend>
          {columns.map(({ name, title, isName }) => (
            <label key={name} className="flex min-h-9 items-center gap-2">
              <input
                type="checkbox"
                className="check"
                checked={chosen[name] !== false}
                disabled={isName}
                onChange={(event) => onChoose(name, event.target.checked)}
              />
              {title}
            </label>
          ))}
        </fieldset>
      </div>
    </>
  )
}

/** Up and down, or k and j, from row to row; Enter follows the link by itself. */
const moveAmongRows = (event: KeyboardEvent<HTMLElement>) => {
  const step = new Map([
    ['ArrowDown', 1],
    ['j', 1],
    ['ArrowUp', -1],
    ['k', -1],
  ]).get(event.key)
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  links[at + step]?.focus()
}

type SortHeaderProps = { column: ListColumn<never>; sort: string; onSort: (sort: string) => void }

const SortHeader = ({ column: { title, sort: word, isAct }, sort, onSort }: SortHeaderProps) => {
  if (isAct) return <span className="sr-only">{title || 'Acts'}</span>
  if (!word) return title
  const isUp = sort === word
  const isDown = sort === `-${word}`
  const Arrow = isUp ? ArrowUp : isDown ? ArrowDown : ArrowUpDown
  return (
    <button
      type="button"
      onClick={() => onSort(isDown ? word : `-${word}`)}
      className="inline-flex min-h-6 items-center gap-1 font-medium hover:text-hedge"
    >
      {title}
      <Arrow className="size-3.5" aria-hidden="true" />
    </button>
  )
}

const sortedAs = (word: string | undefined, sort: string) => {
  if (!word) return undefined
  if (sort === word) return 'ascending'
  return sort === `-${word}` ? 'descending' : 'none'
}

const CELL =
  'px-3 py-2.5 max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:px-4 max-sm:py-1 max-sm:text-right first:pl-4 last:pr-4'

/**
 * A list of the server's: sorted and filtered there, a page at a time, as the address says. On a phone its rows are cards.
 */
export const List = <Row,>(props: ListProps<Row>) => {
  const { call, file, caption, columns, filters = [], fixed = {}, keyOf, linkOf, live, empty } = props
  const { values, set } = useQueryString()
  const names = new Set(['sort', ...filters.map(({ name }) => name)])
  const asked = {
    ...Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
    ...fixed,
  }
  const list = useInfiniteQuery({
    queryKey: [call, { querystring: asked }],
    queryFn: ({ pageParam, signal }) =>
      (api.call as (name: CallName, options: object) => Promise<unknown>)(call, {
        querystring: { ...asked, ...(pageParam ? { after: pageParam } : {}) },
        signal,
      }) as Promise<Page<Row>>,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    meta: { live: live && { kinds: live } },
  })
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const { chosen, choose } = useChosenColumns(call, columns)
  const table = useTable({
    features: FEATURES,
    data: rows,
    getRowId: keyOf as never,
    state: { columnVisibility: chosen },
    columns: columns.map(({ name, title, cell }) => ({
      id: name,
      header: title,
      cell: ({ row }: { row: { original: unknown } }) => cell(row.original as Row),
    })) as ColumnDef<typeof FEATURES, never>[],
  } as never)
  const byName = new Map(columns.map((column) => [column.name, column]))
  const sort = values.sort ?? ''
  const shown = columns.filter(({ name, isAct }) => !isAct && chosen[name] !== false).map(({ name }) => name)
  const fileQuery = new URLSearchParams({ ...asked, columns: shown.join(',') })

  const cellOf = (column: ListColumn<Row> | undefined, row: Row, content: ReactNode) =>
    column?.isName && linkOf ? (
      <Link to={linkOf(row)} data-row-link="" className="link font-medium">
        {content}
      </Link>
    ) : (
      content
    )

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move among the links that it holds
    <div onKeyDown={moveAmongRows}>
      <div className="mb-3 flex items-end justify-between gap-3 max-md:flex-wrap">
        <FilterBar filters={filters} values={values} onChange={set} />
        <div className="-mr-3 ml-auto flex gap-1 max-sm:mr-0">
          <ColumnChooser
            columns={columns.filter(({ isAct }) => !isAct) as never}
            chosen={chosen}
            onChoose={choose}
          />
          {file && (
            <a href={`${file}?${fileQuery}`} download className={TOOL}>
              <Download className="size-4" aria-hidden="true" />
              CSV
            </a>
          )}
        </div>
      </div>
      {list.isError && (
        <Notice kind="problem" title="This could not be loaded" className="mb-4">
          <p>{messageOf(list.error)}</p>
          <Button
            variant="outline"
            className="mt-3"
            onClick={() =>
              list.error instanceof ApiError && list.error.status === 422
                ? set(Object.fromEntries([...names].map((name) => [name, undefined])))
                : void list.refetch()
            }
          >
            {list.error instanceof ApiError && list.error.status === 422 ? 'Clear the filters' : 'Try again'}
          </Button>
        </Notice>
      )}
      {list.isPending && <Skeleton lines={8} />}
      {list.data && rows.length === 0 && (
        <EmptyState
          title={
            Object.keys(asked).length > Object.keys(fixed).length
              ? 'Nothing matches'
              : (empty?.title ?? 'Nothing yet')
          }
        >
          {Object.keys(asked).length > Object.keys(fixed).length
            ? 'Take a filter away to see more.'
            : empty?.text}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div
          className={`overflow-x-auto rounded-card border border-line bg-surface max-sm:border-0 max-sm:bg-transparent ${list.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <table className="w-full text-left tabular-nums max-sm:block">
            <caption className="sr-only">{caption}</caption>
            <thead className="max-sm:sr-only">
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id}>
                  {group.headers.map((header) => {
                    const column = byName.get(header.column.id)
                    return (
                      <th
                        key={header.id}
                        scope="col"
                        aria-sort={sortedAs(column?.sort, sort)}
                        className={`px-3 py-2 align-middle text-sm font-medium whitespace-nowrap text-quiet-ink first:pl-4 last:pr-4 ${column?.isNumber ? 'text-right' : ''}`}
                      >
                        {column && (
                          <SortHeader
                            column={column as never}
                            sort={sort}
                            onSort={(next) => set({ sort: next })}
                          />
                        )}
                      </th>
                    )
                  })}
                </tr>
              ))}
            </thead>
            <tbody className="max-sm:grid max-sm:gap-3">
              {table.getRowModel().rows.map((row) => (
                <tr
                  key={row.id}
                  className="border-t border-line hover:bg-hedge-tint max-sm:block max-sm:rounded-card max-sm:border max-sm:bg-surface max-sm:py-2"
                >
                  {row.getVisibleCells().map((cell) => {
                    const column = byName.get(cell.column.id)
                    return (
                      <td key={cell.id} className={`${CELL} ${column?.isNumber ? 'sm:text-right' : ''}`}>
                        <span aria-hidden="true" className="text-sm text-quiet-ink sm:hidden">
                          {column?.title}
                        </span>
                        <span className="min-w-0">
                          {cellOf(column, row.original as Row, <FlexRender cell={cell as never} />)}
                        </span>
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}
