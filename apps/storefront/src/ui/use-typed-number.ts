import { useEffect, useRef, useState } from 'react'

/** So long a typed number stands still before it is taken. */
export const TYPED_INPUT_DEBOUNCE_MS = 250

/** What is being typed, until it has stood still for a moment; then it becomes a value, and the text shows that value. */
export const useTypedNumber = (value: number, onNumber: (value: number) => void) => {
  const [draft, setDraft] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  const forget = () => {
    clearTimeout(timer.current)
    setDraft(undefined)
  }
  const settle = (text: string) => {
    // An emptied field is somebody about to type: nothing is chosen by it.
    if (text === '') return
    forget()
    onNumber(Number(text))
  }
  return {
    text: draft ?? String(value),
    type: (typed: string) => {
      const digits = typed.replace(/\D/g, '').slice(0, 6)
      clearTimeout(timer.current)
      setDraft(digits)
      timer.current = setTimeout(() => settle(digits), TYPED_INPUT_DEBOUNCE_MS)
    },
    commit: () => {
      if (draft === undefined) return
      settle(draft)
      forget()
    },
    forget,
  }
}
