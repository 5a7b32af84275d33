import type { Passkey } from '@hedgerow/contract/passkeys'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { useState } from 'react'
import { RemovePasskey } from '#features/security/remove-passkey.tsx'
import { RenamePasskey } from '#features/security/rename-passkey.tsx'
import { Time } from '#shared/time.tsx'

type PasskeyRowProps = {
  passkey: Passkey
  /** Without it, nothing could answer the account's second step. */
  isLastAnswer: boolean
  onRenamed: () => unknown
  onRemoved: () => void
}

export const PasskeyRow = ({ passkey, isLastAnswer, onRenamed, onRemoved }: PasskeyRowProps) => {
  const { name, isSynced, createdAt, lastUsedAt } = passkey
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="flex flex-wrap gap-x-4 text-sm text-quiet-ink">
          <span>{isSynced ? 'On your devices' : 'On one device only'}</span>{' '}
          <span>
            Added <Time at={createdAt} isDay />
          </span>{' '}
          <span>
            {lastUsedAt === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <Time at={lastUsedAt} />
              </>
            )}
          </span>
        </p>
      </div>
      <div className="-ml-5 flex flex-wrap sm:ml-0">
        <Button variant="quiet" aria-label={`Rename ${name}`} onClick={() => setOpen('rename')}>
          Rename
        </Button>
        <Button variant="quiet" aria-label={`Remove ${name}`} onClick={() => setOpen('remove')}>
          Remove
        </Button>
      </div>
      <Dialog open={open === 'rename'} onClose={close} title="Rename this passkey">
        <RenamePasskey
          passkey={passkey}
          onRenamed={() => {
            close()
            onRenamed()
          }}
          onCancel={close}
        />
      </Dialog>
      <Dialog open={open === 'remove'} onClose={close} title={`Remove ${name}?`}>
        <RemovePasskey passkey={passkey} isLastAnswer={isLastAnswer} onRemoved={onRemoved} onCancel={close} />
      </Dialog>
    </li>
  )
}
