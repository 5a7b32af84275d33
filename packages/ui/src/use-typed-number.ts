import { useEffect, useRef, useState } from 'react'

/** So long a typed number stands still before it is taken. */
export const TYPED_INPUT_DEBOUNCE_MS = 250

/** More than any number here has, and enough to show what is wrong with it. */
const MAX_LENGTH = 12

const WHOLE = /^\d*$/

/**
 * What is being typed, until it has stood still for a moment; then it becomes a value, and the text shows that value. What
 * is no whole number becomes none: it is left to be mended, and `isWrong` says that it has to be.
 */
export const useTypedNumber = (
  value: number,
  clamp: (value: number) => number,
  onNumber: (value: number) => void,
) => {
  const [draft, setDraft] = useState<string>()
  const [isWrong, setIsWrong] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What was typed, and what the field has made of it: the customer may only have paused, and goes on behind it. */
  const paused = useRef<{ typed: string; shown: string }>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  const forgetDraft = () => {
    clearTimeout(timer.current)
    setDraft(undefined)
  }
  const commit = (typed: string) => {
    // An emptied field is about to be typed in: nothing is chosen by it.
    if (typed === '') return
    const number = clamp(Number(typed))
    forgetDraft()
    setIsWrong(number !== Number(typed))
    paused.current = { typed, shown: String(number) }
    onNumber(number)
  }
  /** '1' has become 3, and a 2 is typed behind it: that is 12, not 32. */
  const resumed = (text: string, inserted: string | null) =>
    paused.current && inserted && text === paused.current.shown + inserted
      ? paused.current.typed + inserted
      : text
  return {
    text: draft ?? String(value),
    isWrong,
    /** With what the last key has put into the text, where the browser says so. */
    type: (text: string, inserted: string | null = null) => {
      const typed = resumed(text.trim(), inserted).slice(0, MAX_LENGTH)
      paused.current = undefined
      clearTimeout(timer.current)
      setDraft(typed)
      const isWhole = WHOLE.test(typed)
      setIsWrong(!isWhole)
      if (isWhole) timer.current = setTimeout(() => commit(typed), TYPED_INPUT_DEBOUNCE_MS)
    },
    commit: () => {
      if (draft !== undefined && WHOLE.test(draft)) commit(draft)
      forgetDraft()
      paused.current = undefined
    },
    /** The value was set in another way. */
    forget: () => {
      forgetDraft()
      setIsWrong(false)
      paused.current = undefined
    },
  }
}
