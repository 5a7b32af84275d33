import { ApiError } from '@hedgerow/contract/client'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'

type NotLoadedProps = { what: string; error: Error; isFetching: boolean; retry: () => void }

/** A lost connection comes back by itself. */
export const NotLoaded = ({ what, error, isFetching, retry }: NotLoadedProps) => (
  <Notice kind={error instanceof ApiError ? 'problem' : 'info'} title={`${what} did not load`}>
    <p>{messageOf(error)}</p>
    <Button variant="outline" className="mt-3" busy={isFetching} onClick={retry}>
      Try again
    </Button>
  </Notice>
)
