import { ApiError } from '@hedgerow/contract/client'
import { Button } from '@hedgerow/ui/button.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

type LoadedProps<T> = { query: UseQueryResult<T>; lines?: number; children: (data: T) => ReactNode }

/** What a call answered; meanwhile its room, and why where it failed. */
export const Loaded = <T,>({ query, lines = 6, children }: LoadedProps<T>) => {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && (
          <Notice kind="warning" className="mb-4">
            This may be out of date: {messageOf(query.error)}
          </Notice>
        )}
        {children(query.data)}
      </>
    )
  // What is not there will not be by asking again.
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState title="This was not found">{messageOf(query.error)}</EmptyState>
  if (query.isError)
    return (
      <Notice kind="problem" title="This could not be loaded">
        <p>{messageOf(query.error)}</p>
        <Button variant="outline" className="mt-3" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Notice>
    )
  return <Skeleton lines={lines} />
}
