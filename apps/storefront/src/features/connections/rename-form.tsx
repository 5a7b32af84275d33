import { type Connection, SaveConnectionRequest } from '@hedgerow/contract/connections'
import { CONNECTION_NAME } from '@hedgerow/domain/connections'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FieldLine } from '@hedgerow/ui/form/field-line.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

const resolver = checkedBy(SaveConnectionRequest)

export const RenameForm = ({ connection }: { connection: Connection }) => {
  const { _id, name } = connection
  const toast = useToast()
  const changeShown = useShownConnection()
  const { form, field, send, problem, isValid, isBusy } = useSentForm(resolver, ['name'], { name })
  const onSubmit = send(
    (body) => api.call('saveConnection', { params: { connectionId: _id }, body: { name: body.name } }),
    (saved) => {
      changeShown(_id, saved)
      // The button is disabled until there is something to save again.
      form.setFocus('name')
      form.reset({ name: saved.name })
      toast(`Renamed to ${saved.name}`)
    },
  )

  return (
    <form noValidate aria-label={`Rename ${name}`} onSubmit={(event) => void onSubmit(event)}>
      {problem && <FormNotice title="The name was not changed">{problem}</FormNotice>}
      <FieldLine
        field={
          <Field
            label="Which device is this for?"
            hint="The connection and its file are named after it."
            autoComplete="off"
            maxLength={CONNECTION_NAME.max}
            {...field('name')}
          />
        }
        button={
          <Button
            type="submit"
            variant="outline"
            disabled={!isValid || !form.formState.isDirty}
            busy={isBusy}
          >
            Rename
          </Button>
        }
      />
    </form>
  )
}
