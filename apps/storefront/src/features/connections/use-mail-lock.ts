import { MAIL_LOCK_MS } from '@hedgerow/domain/connections'
import { useEffect, useRef, useState } from 'react'

/** Locked for two seconds after a mail was requested (spec §4). */
export const useMailLock = () => {
  const [isLocked, setIsLocked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  /** A button that is disabled loses the focus; it gets it back, unless the customer has moved on. */
  const lock = (pressed: HTMLElement) => {
    setIsLocked(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setIsLocked(false)
      if (document.activeElement === document.body) requestAnimationFrame(() => pressed.focus())
    }, MAIL_LOCK_MS)
  }
  return { isLocked, lock }
}
