import { X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'

const SHOWN_MS = 6000

const ToastContext = createContext<(message: string) => void>(() => {})

/** Says something short that needs no answer: `useToast()('Saved')`. */
export const useToast = () => useContext(ToastContext)

export const ToastProvider = ({ children }: { children: ReactNode }) => {
  const [toast, setToast] = useState<{ message: string; count: number }>()
  const show = useCallback(
    (message: string) => setToast((last) => ({ message, count: (last?.count ?? 0) + 1 })),
    [],
  )
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <ToastContext value={show}>
      {children}
      {/* The region is always there: a screen reader only announces changes in what it already knows. */}
      <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 z-10 flex justify-center">
        {toast && (
          <div
            key={toast.count}
            className="pointer-events-auto flex items-center gap-2 rounded-field border border-ink bg-ink py-1 pr-1 pl-4 text-paper"
          >
            <span className="py-2">{toast.message}</span>
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => setToast(undefined)}
              className="grid size-11 place-items-center rounded-field"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          </div>
        )}
      </div>
    </ToastContext>
  )
}
