import { Button } from '@hedgerow/ui/button.tsx'
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
