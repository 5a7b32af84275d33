import type { Connection } from '@hedgerow/contract/connections'
import type { FileForm } from '@hedgerow/domain/file-form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

/** What a connection's file is like, as it was pressed: at once, though it could not be kept for the next time. */
export const useFileForm = ({ _id, fileForm = [] }: Connection) => {
  const changeShown = useShownConnection()
  const [pressed, setPressed] = useState<readonly FileForm[]>()
  const { mutate, error, isPending } = useMutation({
    // One after the other, so that the last one stays.
    scope: { id: `file-form-${_id}` },
    mutationFn: (forms: readonly FileForm[]) =>
      api.call('saveConnection', { params: { connectionId: _id }, body: { fileForm: [...forms] } }),
    onSuccess: ({ fileForm: saved }) => changeShown(_id, { fileForm: saved }),
  })
  return {
    forms: pressed ?? fileForm,
    choose: (forms: readonly FileForm[]) => {
      setPressed(forms)
      mutate(forms)
    },
    problem: isPending ? null : error,
  }
}
