import { ApiError } from '@hedgerow/contract/client'
import { messageOf } from '#lib/message-of.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'

type NotLoadedProps = { what: string; error: Error; isFetching: boolean; retry: () => void }

/** A lost connection is nobody's fault, and comes back. */
export const NotLoaded = ({ what, error, isFetching, retry }: NotLoadedProps) => (
  <Notice kind={error instanceof ApiError ? 'problem' : 'info'} title={`${what} did not load`}>
    <p>{messageOf(error)}</p>
    <Button variant="outline" className="mt-3" busy={isFetching} onClick={retry}>
      Try again
    </Button>
  </Notice>
)
