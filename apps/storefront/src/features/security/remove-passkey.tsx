import type { Passkey } from '@hedgerow/contract/passkeys'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { forgetPasskey } from '@hedgerow/web/passkey.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '#lib/api.ts'

type RemovePasskeyProps = {
  passkey: Passkey
  isLastAnswer: boolean
  onRemoved: () => void
  onCancel: () => void
}

export const RemovePasskey = ({
  passkey: { _id },
  isLastAnswer,
  onRemoved,
  onCancel,
}: RemovePasskeyProps) => {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.call('removePasskey', { params: { passkeyId: _id } }),
    onSuccess: ({ credentialId }) => {
      void forgetPasskey(credentialId)
      onRemoved()
    },
  })
  return (
    <div className="space-y-4">
      {error && !isPending && (
        <Notice kind="problem" title="The passkey was not removed">
          {messageOf(error)}
        </Notice>
      )}
      <p>
        It will no longer log you in. Devices that are logged in stay logged in until you end their sessions.
      </p>
      {isLastAnswer && (
        <Notice kind="warning" title="Your second step turns off too">
          This is your last passkey, and you have no authenticator app. Your password alone will open your
          account, and your recovery codes will stop working.
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          Keep it
        </Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          Remove
        </Button>
      </div>
    </div>
  )
}
