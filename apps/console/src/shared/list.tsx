import { ApiError } from '@hedgerow/contract/client'
import type { Permission } from '@hedgerow/domain/operator-roles'
import { Button } from '@hedgerow/ui/button.tsx'
import { Download } from '@hedgerow/ui/icons.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type CallName } from '#lib/api.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { type Filter, FilterBar } from '#shared/filter-bar.tsx'
import { ColumnChooser, LIST_TOOL, type ListColumn, useChosenColumns } from '#shared/list-columns.tsx'
import { ListTable, moveAmongRows } from '#shared/list-table.tsx'
import { useMay } from '#shared/session.tsx'

type ListProps<Row> = {
  /** The call that answers a page, and the address of the file with all that it finds. */
  call: CallName
  file?: string
  /** Who may have the file, where that is fewer than see the list. */
  mayFile?: Permission | undefined
  caption: string
  columns: readonly ListColumn<Row>[]
  filters?: readonly Filter[]
  /** What is always asked, and not for the operator to choose. */
  fixed?: Readonly<Record<string, string>>
  keyOf: (row: Row) => string
  linkOf?: (row: Row) => string
  live?: readonly string[]
  /** Asked again so often, where the server does not say what is new. */
  everyMs?: number
  empty?: { title: string; text?: ReactNode }
}

type Page<Row> = { rows: Row[]; next: string | null }
type Asked = Readonly<Record<string, string>>

/** What the server finds by what is asked, a page at a time. */
const usePages = <Row,>(
  call: CallName,
  asked: Asked,
  { live, everyMs = 0 }: Pick<ListProps<Row>, 'live' | 'everyMs'>,
) =>
  useInfiniteQuery({
    queryKey: [call, { querystring: asked }],
    queryFn: ({ pageParam, signal }) =>
      (api.call as (name: CallName, options: object) => Promise<unknown>)(call, {
        querystring: { ...asked, ...(pageParam ? { after: pageParam } : {}) },
        signal,
      }) as Promise<Page<Row>>,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    refetchInterval: everyMs || false,
    meta: { live: live && { kinds: live } },
  })

type NotLoadedProps = { error: Error; onClear: () => void; onRetry: () => void }

/** An address that asks for what there is not is mended by asking for less. */
const NotLoaded = ({ error, onClear, onRetry }: NotLoadedProps) => {
  const isAskedWrong = error instanceof ApiError && error.status === 422
  return (
    <Notice kind="problem" title="This could not be loaded" className="mb-4">
      <p>{messageOf(error)}</p>
      <Button variant="outline" className="mt-3" onClick={isAskedWrong ? onClear : onRetry}>
        {isAskedWrong ? 'Clear the filters' : 'Try again'}
      </Button>
    </Notice>
  )
}

const Nothing = ({ isNarrowed, empty }: { isNarrowed: boolean; empty: ListProps<never>['empty'] }) =>
  isNarrowed ? (
    <EmptyState title="Nothing matches">Remove a filter to see more.</EmptyState>
  ) : (
    <EmptyState title={empty?.title ?? 'Nothing yet'}>{empty?.text}</EmptyState>
  )

/** A list of the server's: sorted and filtered there, a page at a time, as the address says. */
export const List = <Row,>(props: ListProps<Row>) => {
  const { call, file, mayFile, caption, columns, filters = [], fixed = {}, keyOf, linkOf, empty } = props
  const may = useMay()
  const { values, set } = useQueryString()
  const { shown, choose } = useChosenColumns(call, columns)
  const names = ['sort', ...filters.map(({ name }) => name)]
  const asked = {
    ...Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
    ...fixed,
  }
  const list = usePages<Row>(call, asked, props)
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const filed = shown.filter(({ isAct }) => !isAct).map(({ name }) => name)

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move among the links that it holds
    <div onKeyDown={moveAmongRows}>
      <div className="mb-3 flex items-end justify-between gap-3 max-md:flex-wrap">
        <FilterBar filters={filters} values={values} onChange={set} />
        <div className="-mr-3 ml-auto flex gap-1 max-sm:mr-0">
          <ColumnChooser columns={columns} shown={shown} onChoose={choose} />
          {file && may(mayFile) && (
            <a
              href={`${file}?${new URLSearchParams({ ...asked, columns: filed.join(',') })}`}
              download
              className={LIST_TOOL}
            >
              <Download className="size-4" />
              CSV
            </a>
          )}
        </div>
      </div>
      {list.isError && (
        <NotLoaded
          error={list.error}
          onClear={() => set(Object.fromEntries(names.map((name) => [name, undefined])))}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton lines={8} />}
      {list.data && rows.length === 0 && (
        <Nothing isNarrowed={filters.some(({ name }) => values[name])} empty={empty} />
      )}
      {rows.length > 0 && (
        <ListTable
          caption={caption}
          columns={shown}
          rows={rows}
          keyOf={keyOf}
          linkOf={linkOf}
          isStale={list.isPlaceholderData}
          sort={values.sort ?? ''}
          onSort={(sort) => set({ sort })}
        />
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
