import type { StatementEntry, Withdrawal } from '@hedgerow/contract/partnership'
import { Button } from '@hedgerow/ui/button.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { type Column, Table } from '@hedgerow/ui/table.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { describeEntry, entryAmount, entryRoute } from '#features/partnership/describe-entry.ts'
import { statementQuery, withdrawalsQuery } from '#features/partnership/partnership-queries.ts'
import { ShowMore } from '#shared/show-more.tsx'
import { Time } from '#shared/time.tsx'

/** Two columns of short lines: what and when, and how much. So many rows are read down, also on a phone. */
const columns = (withdrawals: readonly Withdrawal[]): Column<StatementEntry>[] => [
  {
    header: 'What and when',
    cell: (entry) => {
      const { title, detail } = describeEntry(
        entry,
        withdrawals.find(({ _id }) => _id === entry.withdrawalId),
      )
      return (
        <>
          <span className="block wrap-anywhere">{title}</span>
          <span className="flex flex-wrap gap-x-4 text-sm text-quiet-ink">
            <Time at={entry.at} />
            {detail && <span>{detail}</span>}
          </span>
        </>
      )
    },
  },
  {
    header: 'Amount',
    cell: (entry) => (
      <>
        <span className="block font-medium whitespace-nowrap">{entryAmount(entry)}</span>
        <span className="block text-sm text-quiet-ink">{entryRoute(entry)}</span>
      </>
    ),
    isNumber: true,
  },
]

/** Every movement on the partner account. */
export const Statement = () => {
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(statementQuery)
  const withdrawals = useQuery(withdrawalsQuery)
  const list = useRef<HTMLDivElement>(null)
  if (!data && error) {
    return (
      <Notice kind="problem" title="The statement did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  }
  if (!data) return <Skeleton label="Loading the statement" lines={6} />
  const entries = data.pages.flatMap((page) => page.entries)
  if (entries.length === 0) {
    return (
      <EmptyState title="Nothing earned yet">
        <p>
          Pass on your link or your promocode. As soon as someone pays with it, your share appears here,
          followed by every step after that.
        </p>
      </EmptyState>
    )
  }
  return (
    <>
      <div ref={list}>
        <Table
          isShort
          caption="Statement"
          columns={columns(withdrawals.data ?? [])}
          rows={entries}
          keyOf={({ _id }) => _id}
        />
      </div>
      <ShowMore
        what="entries"
        shown={entries.length}
        hasMore={hasNextPage}
        isBusy={isFetchingNextPage}
        error={error}
        onMore={() => void fetchNextPage()}
        list={list}
        items="tbody tr"
      />
    </>
  )
}
