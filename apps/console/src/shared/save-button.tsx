import { Button } from '@hedgerow/ui/button.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { useState } from 'react'

type SaveButtonProps = { name: string; read: () => Promise<unknown>; children: string }

/** A file that asks who is there: a link would save the refusal. */
export const SaveButton = ({ name, read, children }: SaveButtonProps) => {
  const [isBusy, setBusy] = useState(false)
  const toast = useToast()
  const save = async () => {
    setBusy(true)
    try {
      const answer = await read()
      if (answer instanceof Blob) saveFile(name, answer, answer.type)
      else saveFile(name, JSON.stringify(answer, null, 2), 'application/json')
    } catch (error) {
      toast(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="quiet" busy={isBusy} onClick={() => void save()}>
      {children}
    </Button>
  )
}
