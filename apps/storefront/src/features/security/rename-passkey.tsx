import type { Passkey } from '@hedgerow/contract/passkeys'
import { RenamePasskeyRequest } from '@hedgerow/contract/passkeys'
import { PASSKEY_NAME_LENGTH } from '@hedgerow/domain/passkeys'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { api } from '#lib/api.ts'

const resolver = checkedBy(RenamePasskeyRequest)

type RenamePasskeyProps = { passkey: Passkey; onRenamed: () => void; onCancel: () => void }

export const RenamePasskey = ({ passkey: { _id, name }, onRenamed, onCancel }: RenamePasskeyProps) => {
  const toast = useToast()
  const { field, send, problem, isValid, isBusy } = useSentForm(resolver, ['name'], { name })
  const onSubmit = send(
    (body) => api.call('renamePasskey', { params: { passkeyId: _id }, body }),
    (saved) => {
      toast(`Renamed to ${saved.name}`)
      onRenamed()
    },
  )
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice title="The name was not changed">{problem}</FormNotice>}
      <Field
        label="Name"
        hint="Only you see it. If you leave it empty, it is named after this browser."
        autoComplete="off"
        maxLength={PASSKEY_NAME_LENGTH}
        {...field('name')}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isValid} busy={isBusy}>
          Save the name
        </Button>
      </div>
    </form>
  )
}
