import type { Connection } from '@hedgerow/contract/connections'
import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { downloadConfig, type NamedConfig } from '#features/connections/connection-config.ts'
import { useMailLock } from '#features/connections/use-mail-lock.ts'
import { api } from '#lib/api.ts'

type ConnectionActionsProps = {
  connection: Connection
  /** What is downloaded. */
  config: NamedConfig
  /** The same is mailed. */
  isIpv4Only: boolean
  isExpired: boolean
  /** There is a button that renews it: that one is coloured. */
  isRenewing: boolean
  /** Where the configuration is mailed to. */
  email: string
  /** The heading that says which connection the buttons are of. */
  describedBy: string
}

export const ConnectionActions = (props: ConnectionActionsProps) => {
  const { connection, config, isIpv4Only, isExpired, isRenewing, email, describedBy } = props
  const toast = useToast()
  const { isLocked, lock } = useMailLock()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.call('mailConnection', {
        params: { connectionId: connection._id },
        querystring: isIpv4Only ? { ipv4Only: 'true' } : {},
      }),
    onSuccess: () => toast(`Sent to ${email}`),
  })
  const cannotShow = isExpired || connection.isUnreadable === true
  const isDisabled = cannotShow || isLocked
  const isDue = isExpired && !isRenewing
  return (
    <>
      {error && !isPending && (
        <Notice kind="problem" title="The email was not sent" className="mb-4">
          {messageOf(error)}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap md:grid lg:flex">
        <Button
          variant="outline"
          disabled={isDisabled}
          busy={isPending}
          aria-describedby={describedBy}
          onClick={({ currentTarget }) => {
            lock(currentTarget)
            mutate()
          }}
        >
          Get by Email
        </Button>
        <Button
          variant="outline"
          disabled={isDisabled}
          aria-describedby={describedBy}
          onClick={() => downloadConfig(config)}
        >
          Download
        </Button>
        {/* A quiet one has no edge: its words begin where the ticket's do, in a row if there is room. */}
        <div
          className={`col-span-2 flex flex-wrap gap-y-1 sm:contents md:flex lg:contents ${isDue ? '' : '-ml-5'}`}
        >
          <ButtonLink
            to={connection.isRenewable ? `/products?renew=${connection._id}` : '/products'}
            variant={isDue ? 'solid' : 'quiet'}
            className={isDue ? 'basis-full' : ''}
          >
            Buy more
          </ButtonLink>
        </div>
      </div>
    </>
  )
}
