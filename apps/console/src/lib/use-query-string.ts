import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'

/** The part of the address behind the '?': what a list shows, so that it can be linked to. */
export const useQueryString = () => {
  const [params, setParams] = useSearchParams()
  const text = params.toString()
  const values = useMemo(() => Object.fromEntries(new URLSearchParams(text)), [text])
  const set = useCallback(
    (changes: Readonly<Record<string, string | undefined>>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value) after.set(name, value)
            else after.delete(name)
          }
          return after
        },
        { replace: true },
      ),
    [setParams],
  )
  return { values: values as Readonly<Record<string, string>>, set, text }
}
