import type { Connection } from '@hedgerow/contract/connections'
import { isActive, SHARE_LINK_DAYS } from '@hedgerow/domain/connections'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FieldLine } from '@hedgerow/ui/form/field-line.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { sharedUntilLine } from '#features/connections/shared-until.ts'
import { useNow } from '#features/connections/use-now.ts'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

type ShareConnectionProps = { connection: Connection; isExpired: boolean }

/** Making the link and withdrawing it. `onWithdrawn` is called once the connection is shown without one. */
const useShareLink = (_id: string, onWithdrawn: () => void) => {
  const params = { connectionId: _id }
  const toast = useToast()
  const changeShown = useShownConnection()
  const make = useMutation({
    mutationFn: () => api.call('shareConnection', { params }),
    onSuccess: ({ sharedAt, sharedUntil }) => changeShown(_id, { sharedAt, sharedUntil }),
  })
  const withdraw = useMutation({
    mutationFn: () => api.call('revokeShareLink', { params }),
    onSuccess: () => {
      make.reset()
      changeShown(_id, { sharedAt: null, sharedUntil: null })
      toast('The link has been withdrawn')
      onWithdrawn()
    },
  })
  return { make, withdraw }
}

/** A link that has ended while the page was open is none. */
const linkOf = ({ sharedAt, sharedUntil }: Connection, now: Date) => {
  if (!sharedAt || !sharedUntil || !isActive(new Date(sharedUntil), now)) return undefined
  return {
    made: formatLocalTime(new Date(sharedAt)),
    ends: sharedUntilLine(new Date(sharedUntil), now),
  }
}

/** Shown once: what is kept of it cannot be shown. `word`: what it is called. */
export const NewLink = ({ url, word }: { url: string; word: 'link' | 'address' }) => {
  const link = useRef<HTMLInputElement>(null)
  // Read out, chosen whole, and one step from being copied; the button that was pressed would end it.
  useEffect(() => {
    if (url) link.current?.focus()
  }, [url])
  return (
    <FieldLine
      field={
        <Field
          ref={link}
          label={word === 'link' ? 'Link' : 'Address'}
          hint="Shown only once. Copy it now."
          value={url}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      }
      button={<CopyButton text={url} of={`the ${word}`} />}
    />
  )
}

export const ShareConnection = ({ connection, isExpired }: ShareConnectionProps) => {
  const { _id } = connection
  const shown = linkOf(connection, useNow())
  const makeButton = useRef<HTMLButtonElement>(null)
  // The button that withdraws it goes.
  const { make, withdraw } = useShareLink(_id, () => makeButton.current?.focus())
  const problem = [make, withdraw].find(
    ({ error, isPending }) => error && !isPending && !isDeclined(error),
  )?.error
  const url = shown ? make.data?.url : undefined
  return (
    <section className="space-y-3">
      <h4 className="font-medium">Share this connection</h4>
      <p className="-mt-2 text-sm text-quiet-ink">
        {shown
          ? `Anyone with the link you created on ${shown.made} can see this connection’s code and file. It ends ${shown.ends}. A new link or new keys end it sooner.`
          : `Anyone with the link can see this connection’s code and file without logging in. It ends after ${SHARE_LINK_DAYS} days, or when you withdraw it. We email you when it is created.`}
      </p>
      {problem && (
        <Notice kind="problem" title="The link was not changed">
          {messageOf(problem)}
        </Notice>
      )}
      {url && <NewLink url={url} word="link" />}
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
            {shown ? 'Create a new link' : 'Create a link'}
          </Button>
        )}
        {shown && (
          <Button
            variant="quiet"
            busy={withdraw.isPending}
            onClick={() => {
              withdraw.mutate()
            }}
          >
            Withdraw the link
          </Button>
        )}
      </div>
    </section>
  )
}
