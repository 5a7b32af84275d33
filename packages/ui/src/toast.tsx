import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { freePlace } from '#ui/free-place.ts'
import { X } from '#ui/icons.tsx'

const SHOWN_MS = 6000

const ToastContext = createContext<(message: string) => void>(() => {})

/** What is typed or agreed to is never covered. */
const UNCOVERED = 'input, select, textarea, label'

/** Keeps what is shown off the fields, also while the page is scrolled: where there is no room between large letters, it waits. */
const useFreePlace = (shown: unknown) => {
  const box = useRef<HTMLDivElement>(null)
  const [above, setAbove] = useState<number>()
  useLayoutEffect(() => {
    if (!shown) return
    const place = () => {
      const fields = [...document.querySelectorAll(UNCOVERED)].map((field) => field.getBoundingClientRect())
      if (box.current) setAbove(freePlace(box.current.getBoundingClientRect(), fields, window.innerHeight))
    }
    place()
    addEventListener('scroll', place, { passive: true, capture: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [shown])
  return { box, above }
}

/** Says something short that needs no answer: `useToast()('Saved')`. */
export const useToast = () => useContext(ToastContext)

export const ToastProvider = ({ children }: { children: ReactNode }) => {
  const [toast, setToast] = useState<{ message: string; count: number }>()
  const show = useCallback(
    (message: string) => setToast((last) => ({ message, count: (last?.count ?? 0) + 1 })),
    [],
  )
  const { box, above } = useFreePlace(toast)
  const isSeen = above !== undefined
  useEffect(() => {
    if (!toast || !isSeen) return
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast, isSeen])
  return (
    <ToastContext value={show}>
      {children}
      {/* The region is always there: a screen reader only announces changes in what it already knows. */}
      <div
        role="status"
        className={`pointer-events-none fixed inset-x-4 bottom-4 z-10 flex justify-center ${toast && !isSeen ? 'invisible' : ''}`}
        style={toast && { bottom: above }}
      >
        {toast && (
          <div
            ref={box}
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
              <X className="size-4" />
            </button>
          </div>
        )}
      </div>
    </ToastContext>
  )
}
