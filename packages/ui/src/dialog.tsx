import { type ReactNode, useEffect, useId, useRef } from 'react'

type DialogProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** The browser's own modal dialog: it holds the focus, gives it back, and closes with Escape. */
export const Dialog = ({ open, onClose, title, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    <dialog ref={dialog} aria-labelledby={titleId} onClose={onClose} className="dialog p-5 sm:p-8">
      <h2 id={titleId} className="mb-3 text-xl sm:mb-4">
        {title}
      </h2>
      {open && children}
    </dialog>
  )
}
