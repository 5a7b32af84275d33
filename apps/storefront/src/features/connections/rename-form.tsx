import { ApiError } from '@hedgerow/contract/client'
import { type Connection, SaveConnectionRequest } from '@hedgerow/contract/connections'
import { CONNECTION_NAME } from '@hedgerow/domain/connections'
import { useState } from 'react'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { FieldLine } from '#ui/form/field-line.tsx'
import { FormNotice } from '#ui/form/form-notice.tsx'
import { useToast } from '#ui/toast.tsx'

const resolver = checkedBy(SaveConnectionRequest)

export const RenameForm = ({ connection }: { connection: Connection }) => {
  const { _id, name } = connection
  const toast = useToast()
  const changeShown = useShownConnection()
  const { form, field, submit, refuse, isValid, isBusy } = useCheckedForm(resolver, ['name'], { name })
  const [problem, setProblem] = useState<string>()

  const fail = (error: unknown) => {
    if (error instanceof ApiError && error.status === 422 && refuse(error.problem)) return
    setProblem(messageOf(error))
  }

  const onSubmit = submit(async ({ name: wanted }) => {
    setProblem(undefined)
    await api
      .call('saveConnection', { params: { connectionId: _id }, body: { name: wanted } })
      .then((saved) => {
        changeShown(_id, { name: saved.name })
        // The button is disabled until there is something to save again.
        form.setFocus('name')
        form.reset({ name: saved.name })
        toast(`Renamed to ${saved.name}`)
      }, fail)
  })

  return (
    <form noValidate aria-label={`Rename ${name}`} onSubmit={(event) => void onSubmit(event)}>
      {problem && <FormNotice title="The name was not changed">{problem}</FormNotice>}
      <FieldLine
        field={
          <Field
            label="Name"
            hint="Its file is named after it."
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
