import type { Connection } from '@hedgerow/contract/connections'
import { MoveConnection } from '#features/connections/move-connection.tsx'
import { NewKeys } from '#features/connections/new-keys.tsx'
import { RenameForm } from '#features/connections/rename-form.tsx'
import type { OldCode } from '#features/connections/scan-again.tsx'
import { ShareConnection } from '#features/connections/share-connection.tsx'

export type ManageConnectionProps = {
  connection: Connection
  isExpired: boolean
  /** It has new keys, which the code now shows. */
  onNewCode: (old: OldCode) => void
}

export const ManageConnection = ({ connection, isExpired, onNewCode }: ManageConnectionProps) => (
  <div className="divide-y divide-line border-t border-line *:py-5">
    {!isExpired && (
      <>
        <RenameForm connection={connection} />
        <NewKeys connection={connection} onNewCode={onNewCode} />
        <MoveConnection connection={connection} onMoved={() => onNewCode('works')} />
      </>
    )}
    <ShareConnection connection={connection} isExpired={isExpired} />
  </div>
)
