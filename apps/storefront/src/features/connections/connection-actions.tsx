import type { Connection } from '@hedgerow/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { downloadConfig } from '#features/connections/connection-config.ts'
import { useMailLock } from '#features/connections/use-mail-lock.ts'
import { api } from '#lib/api.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { useToast } from '#ui/toast.tsx'

type ConnectionActionsProps = {
  connection: Connection
  isExpired: boolean
  /** There is a button that renews it: that one is coloured. */
  isRenewing: boolean
  /** Where the configuration is mailed to. */
  email: string
  /** The heading that says which connection the buttons are of. */
  describedBy: string
  /** Asks about one of these payments, to cancel it. */
  onCancel: (paymentIds: readonly string[]) => void
}

export const ConnectionActions = (props: ConnectionActionsProps) => {
  const { connection, isExpired, isRenewing, email, describedBy, onCancel } = props
  const { cancellable = [] } = connection
  const toast = useToast()
  const { isLocked, lock } = useMailLock()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.call('mailConnection', { params: { connectionId: connection._id } }),
    onSuccess: () => toast(`Sent to ${email}`),
  })
  const isDisabled = isExpired || isLocked
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
          onClick={() => downloadConfig(connection)}
        >
          Download
        </Button>
        <ButtonLink
          to={connection.isRenewable ? `/products?renew=${connection._id}` : '/products'}
          variant={isExpired && !isRenewing ? 'solid' : 'quiet'}
          className="col-span-2"
        >
          Buy more
        </ButtonLink>
        {cancellable.length > 0 && (
          <Button
            variant="quiet"
            className="col-span-2"
            aria-describedby={describedBy}
            onClick={() => onCancel(cancellable.map(({ paymentId }) => paymentId))}
          >
            Cancel or withdraw
          </Button>
        )}
      </div>
    </>
  )
}
