import type { Connection } from '@hedgerow/contract/connections'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { downloadConfig, type NamedConfig } from '#features/connections/connection-config.ts'
import { isKeyMissing } from '#features/connections/own-key.ts'
import { useMailLock } from '#features/connections/use-mail-lock.ts'
import { api } from '#lib/api.ts'

/** Comes when someone looks for it. */
const ShareConnection = lazy(async () => ({
  default: (await import('#features/connections/share-connection.tsx')).ShareConnection,
}))

type ConnectionActionsProps = {
  connection: Connection
  /** What is downloaded. */
  config: NamedConfig
  isExpired: boolean
  /** Called when the file was saved. */
  onSaved?: () => void
  /** It is to be set up, and nothing else here leads to it. */
  isMainDownload: boolean
  /** Where the configuration is mailed to. */
  email: string
  /** The heading that says which connection the buttons are of. */
  describedBy: string
  /** Stands last in their row. */
  children?: ReactNode
}

export const ConnectionActions = (props: ConnectionActionsProps) => {
  const { connection, config, isExpired, onSaved, isMainDownload, email, describedBy, children } = props
  const toast = useToast()
  const { isLocked, lock } = useMailLock()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.call('mailConnection', { params: { connectionId: connection._id } }),
    onSuccess: () => toast(`Sent to ${email}`),
  })
  const cannotShow = isExpired || connection.isUnreadable === true || isKeyMissing(connection)
  const isDisabled = cannotShow || isLocked
  const reasonId = useId()
  const noFile = connection.hasOwnKey && !isExpired
  const describedByReason = noFile ? `${describedBy} ${reasonId}` : describedBy
  const [isSharing, setIsSharing] = useState(false)
  return (
    <>
      {error && !isPending && (
        <Notice kind="problem" title="The email was not sent" className="mb-4">
          {messageOf(error)}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap md:grid lg:flex">
        <Button
          variant={isMainDownload ? 'solid' : 'outline'}
          disabled={isDisabled}
          aria-describedby={describedBy}
          onClick={() => {
            downloadConfig(config)
            onSaved?.()
          }}
        >
          Download
        </Button>
        <Button
          variant="outline"
          disabled={isDisabled || noFile}
          busy={isPending}
          aria-describedby={describedByReason}
          onClick={({ currentTarget }) => {
            lock(currentTarget)
            mutate()
          }}
        >
          Get by Email
        </Button>
        <Button
          variant="outline"
          disabled={(isExpired && !connection.sharedAt) || noFile}
          aria-expanded={isSharing}
          aria-describedby={describedByReason}
          onClick={() => setIsSharing(!isSharing)}
        >
          Share
        </Button>
        {children}
      </div>
      {noFile && (
        <p id={reasonId} className="mt-3 text-sm text-quiet-ink">
          Only you have this connection’s key, so we cannot email or share its file.
        </p>
      )}
      {isSharing && !noFile && (
        <div className="space-y-6 py-5">
          <Suspense fallback={<Skeleton lines={4} />}>
            <ShareConnection connection={connection} isExpired={isExpired} />
          </Suspense>
        </div>
      )}
    </>
  )
}
