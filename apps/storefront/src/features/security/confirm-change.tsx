import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

type ConfirmChangeProps = {
  /** Of the button that asks, and of the dialog. */
  label: string
  title: string
  /** What happens. */
  children: ReactNode
  /** Of the button that does it. */
  action: string
  variant?: 'solid' | 'danger'
  onConfirm: () => Promise<unknown>
}

/** A change that is asked about first, in a dialog. */
export const ConfirmChange = ({
  label,
  title,
  children,
  action,
  variant = 'solid',
  onConfirm,
}: ConfirmChangeProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const { mutate, error, isPending, reset } = useMutation({
    // Codes that come with it are not kept.
    gcTime: 0,
    mutationFn: async () => {
      await onConfirm()
    },
    onSuccess: () => setIsOpen(false),
  })
  return (
    <>
      <Button
        variant="outline"
        onClick={() => {
          reset()
          setIsOpen(true)
        }}
      >
        {label}
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={title}>
        <div className="space-y-4">
          {error && !isPending && (
            <Notice kind="problem" title="Nothing was changed">
              {messageOf(error)}
            </Notice>
          )}
          {children}
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="quiet" onClick={() => setIsOpen(false)}>
              Cancel
            </Button>
            <Button variant={variant} busy={isPending} onClick={() => mutate()}>
              {action}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
