import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'

type DialogProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** Enter pressed as soon as the focus is back opens it again, and it stays: the browser tells of the end too late. */
export const closingByEscape = (onClose: () => void) => ({
  onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
    const { target, currentTarget } = event
    // A file that is not chosen after all tells of it by the same name.
    if (target !== currentTarget) return
    event.preventDefault()
    // Before it may be gone from the page: only an end gives the focus back.
    currentTarget.close()
    onClose()
  },
  onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    if (!currentTarget.open) onClose()
  },
})

/** The browser's own modal dialog: it holds the focus, gives it back, and closes with Escape. */
export const Dialog = ({ open, onClose, title, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      {...closingByEscape(onClose)}
      className="dialog p-5 sm:p-8"
    >
      <h2 id={titleId} className="mb-3 text-xl sm:mb-4">
        {title}
      </h2>
      {open && children}
    </dialog>
  )
}
