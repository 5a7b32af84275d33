import type { Connection } from '@hedgerow/contract/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { NewLink } from '#features/connections/share-connection.tsx'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

const useFileAddress = (_id: string, onWithdrawn: () => void) => {
  const params = { connectionId: _id }
  const toast = useToast()
  const changeShown = useShownConnection()
  const make = useMutation({
    mutationFn: () => api.call('makeFileAddress', { params }),
    onSuccess: ({ createdAt }) => changeShown(_id, { fileAddress: { createdAt, reads: 0, readAt: null } }),
  })
  const withdraw = useMutation({
    mutationFn: () => api.call('endFileAddress', { params }),
    onSuccess: () => {
      make.reset()
      changeShown(_id, { fileAddress: undefined })
      toast('The address has been withdrawn')
      onWithdrawn()
    },
  })
  return { make, withdraw }
}

const at = (instant: string) => formatLocalTime(new Date(instant))

const usageOf = ({ createdAt, reads, readAt }: NonNullable<Connection['fileAddress']>): string => {
  const created = `Created on ${at(createdAt)}.`
  if (!readAt) return `${created} Not used yet.`
  return `${created} Used ${reads === 1 ? 'once' : `${reads} times`}, last on ${at(readAt)}.`
}

/** The address from which a router fetches the file by itself. */
export const FileAddress = ({ connection, isExpired }: { connection: Connection; isExpired: boolean }) => {
  const { _id, fileAddress } = connection
  const makeButton = useRef<HTMLButtonElement>(null)
  // The button that withdraws it goes.
  const { make, withdraw } = useFileAddress(_id, () => makeButton.current?.focus())
  const problem = [make, withdraw].find(
    ({ error, isPending }) => error && !isPending && !isDeclined(error),
  )?.error
  const url = fileAddress ? make.data?.url : undefined
  return (
    <section className="space-y-3">
      <h4 className="font-medium">An address for a router or an app</h4>
      <p className="-mt-2 text-sm text-quiet-ink">
        {fileAddress
          ? usageOf(fileAddress)
          : 'For a router, a script or an app that fetches its file by itself: always the newest, as you chose it under File options.'}{' '}
        Anyone with the address can use this connection. New keys end the address, and so do you by
        withdrawing it.
      </p>
      {problem && (
        <Notice kind="problem" title="The address was not changed">
          {messageOf(problem)}
        </Notice>
      )}
      {url && <NewLink url={url} word="address" />}
      <div className="flex flex-wrap gap-3 pt-1">
        {!isExpired && (
          <Button
            ref={makeButton}
            variant="outline"
            busy={make.isPending}
            onClick={() => {
              withdraw.reset()
              make.mutate()
            }}
          >
            {fileAddress ? 'Create a new address' : 'Create an address'}
          </Button>
        )}
        {fileAddress && (
          <Button variant="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw the address
          </Button>
        )}
      </div>
    </section>
  )
}
