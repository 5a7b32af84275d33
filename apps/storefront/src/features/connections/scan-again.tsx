import { useEffect, useRef } from 'react'
import { Notice } from '#ui/page/notice.tsx'

/** Takes the focus, and so comes into view together with the code below it. */
export const ScanAgain = () => {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.focus(), [])
  return (
    <div ref={frame} tabIndex={-1} className="max-w-70 scroll-mt-4 rounded-field">
      <Notice kind="done">
        Scan this code again on your device; the old one works until then, at most a day.
      </Notice>
    </div>
  )
}
