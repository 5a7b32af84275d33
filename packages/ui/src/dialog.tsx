import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'

type DialogProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** Closed before the browser gives the focus back: whoever presses Enter at once opens it again, and it stays. */
export const closingByEscape = (onClose: () => void) => ({
  onCancel: ({ target, currentTarget }: SyntheticEvent) => {
    // A file that is not chosen after all tells of it by the same name.
    if (target === currentTarget) onClose()
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
