import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useEffect, useRef } from 'react'

/** Whether what devices have by now works until the new code is used. */
export type OldCode = 'works' | 'cut-off'

/** Takes the focus, and so comes into view together with the code below it. */
export const ScanAgain = ({ old }: { old: OldCode }) => {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.focus(), [])
  return (
    <div ref={frame} tabIndex={-1} className="max-w-70 scroll-mt-4 rounded-field">
      <Notice kind="done">
        {old === 'works'
          ? 'Scan this code again on your device. The old one works until you do, for a day at most.'
          : 'Scan this code on your device. The old one is cut off.'}
      </Notice>
    </div>
  )
}
