import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useEffect, useRef } from 'react'

/** Whether what devices have by now works until the new code is used. */
export type OldCode = 'works' | 'cut-off'

/** Takes the focus, and so comes into view together with the code below it. */
type ScanAgainProps = {
  old: OldCode
  /** There is no code: what stands below it is typed. */
  isTyped?: boolean
}

const WORDS = {
  works: 'Scan this code again on your device. The old one works until you do, for a day at most.',
  'cut-off': 'Scan this code on your device. The old one is cut off.',
} as const

const TYPED_WORDS = {
  works: 'Bring your device up to date. What it had before works until you do, for a day at most.',
  'cut-off': 'Bring your device up to date. What it had before is cut off.',
} as const

export const ScanAgain = ({ old, isTyped = false }: ScanAgainProps) => {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.focus(), [])
  return (
    <div ref={frame} tabIndex={-1} className="max-w-70 scroll-mt-4 rounded-field">
      <Notice kind="done">{(isTyped ? TYPED_WORDS : WORDS)[old]}</Notice>
    </div>
  )
}
