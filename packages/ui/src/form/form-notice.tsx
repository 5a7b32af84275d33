import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { Notice } from '#ui/page/notice.tsx'

type FormNoticeProps = {
  kind?: ComponentProps<typeof Notice>['kind']
  title?: string
  /** False when a field takes the focus instead. */
  takesFocus?: boolean
  children?: ReactNode
}

/** Why a form was not taken. It takes the focus, so that it is neither missed nor out of view. */
export const FormNotice = ({ kind = 'problem', title, takesFocus = true, children }: FormNoticeProps) => {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) frame.current?.focus()
  }, [takesFocus])
  return (
    <div ref={frame} tabIndex={-1} className="rounded-field">
      <Notice kind={kind} title={title}>
        {children}
      </Notice>
    </div>
  )
}
