import { useEffect, useState } from 'react'

const EVERY_MS = 30_000

/** The time, moving on while the page is open: what expires meanwhile is shown as expired. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
