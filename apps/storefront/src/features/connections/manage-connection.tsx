import type { Connection } from '@hedgerow/contract/connections'
import { Button } from '@hedgerow/ui/button.tsx'
import { MoveConnection } from '#features/connections/move-connection.tsx'
import { NewKeys } from '#features/connections/new-keys.tsx'
import type { HeldKey } from '#features/connections/own-key.ts'
import { RenameForm } from '#features/connections/rename-form.tsx'
import { RenewKeys } from '#features/connections/renew-keys.tsx'
import type { OldCode } from '#features/connections/scan-again.tsx'

export type ManageConnectionProps = {
  connection: Connection
  isExpired: boolean
  /** It has new keys, which the code now shows. */
  onNewCode: (old: OldCode, held?: HeldKey) => void
  /** Asks about one of these payments, to cancel it. */
  onCancel: (paymentIds: readonly string[]) => void
}

const CancelPurchase = ({ connection, onCancel }: Pick<ManageConnectionProps, 'connection' | 'onCancel'>) => {
  const { cancellable = [] } = connection
  if (cancellable.length === 0) return null
  return (
    <section>
      <h4 className="font-medium">Cancel the purchase</h4>
      <p className="mt-1 mb-3 text-sm text-quiet-ink">
        Within 14 days of paying. You see what you get back before you confirm.
      </p>
      <Button variant="outline" onClick={() => onCancel(cancellable.map(({ paymentId }) => paymentId))}>
        Cancel or withdraw
      </Button>
    </section>
  )
}

export const ManageConnection = ({ connection, isExpired, onNewCode, onCancel }: ManageConnectionProps) => (
  <div className="divide-y divide-line border-t border-line *:py-5">
    {!isExpired && (
      <>
        {connection.status !== 'never-connected' && <RenameForm connection={connection} />}
        <NewKeys connection={connection} onNewCode={onNewCode} />
        {!connection.isUnreadable && !connection.hasOwnKey && <RenewKeys connection={connection} />}
        <MoveConnection connection={connection} onMoved={() => onNewCode('works')} />
      </>
    )}
    <CancelPurchase connection={connection} onCancel={onCancel} />
  </div>
)
