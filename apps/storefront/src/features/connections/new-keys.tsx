import type { Connection } from '@hedgerow/contract/connections'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { OldCode } from '#features/connections/scan-again.tsx'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

type NewKeysFormProps = {
  connection: Connection
  onMade: (old: OldCode) => void
  onCancel: () => void
}

const NewKeysForm = ({ connection, onMade, onCancel }: NewKeysFormProps) => {
  const { _id, sharedAt } = connection
  const changeShown = useShownConnection()
  const [cutOffOld, setCutOffOld] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.call('replaceKeys', { params: { connectionId: _id }, body: { cutOffOld } }),
    onSuccess: (connection) => {
      changeShown(_id, connection)
      onMade(cutOffOld ? 'cut-off' : 'works')
    },
  })
  return (
    <div className="space-y-4">
      {error && !isPending && !isDeclined(error) && (
        <Notice kind="problem" title="No new keys were made">
          {messageOf(error)}
        </Notice>
      )}
      <p>
        Its code and file change. Scan the new code on your device, or import the new file there.{' '}
        <span>
          {cutOffOld
            ? 'Any device using the old keys is cut off within seconds.'
            : 'The old code works until the new one is first used, for a day at most.'}
        </span>
      </p>
      {sharedAt && <p>Its link ends. Anyone who should see the new code needs a new link.</p>}
      <Checkbox
        label={
          <>
            Cut off the old keys now
            <span className="block text-sm text-quiet-ink">
              For a lost device, or a code that someone else has.
            </span>
          </>
        }
        checked={cutOffOld}
        disabled={isPending}
        onChange={({ target }) => setCutOffOld(target.checked)}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          Keep the old keys
        </Button>
        <Button busy={isPending} onClick={() => mutate()}>
          Make new keys
        </Button>
      </div>
    </div>
  )
}

type NewKeysProps = { connection: Connection; onNewCode: (old: OldCode) => void }

export const NewKeys = ({ connection, onNewCode }: NewKeysProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const made = useRef<OldCode>(undefined)
  // The dialog has given the focus back by then: the new code may take it.
  const close = () => {
    setIsOpen(false)
    const old = made.current
    made.current = undefined
    if (old) onNewCode(old)
  }
  return (
    <section>
      <h4 className="font-medium">New keys</h4>
      <p className="mt-1 mb-3 text-sm text-quiet-ink">
        For when a device is lost, or someone has seen the code. You scan the new code afterwards.
      </p>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        Make new keys
      </Button>
      <Dialog open={isOpen} onClose={close} title={`New keys for ${connection.name}`}>
        <NewKeysForm
          connection={connection}
          onMade={(old) => {
            made.current = old
            setIsOpen(false)
          }}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </section>
  )
}
