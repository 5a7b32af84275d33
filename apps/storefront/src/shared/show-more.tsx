import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

type ShowMoreProps = {
  /** 'connections' */
  what: string
  /** How many there are so far. */
  shown: number
  hasMore: boolean
  isBusy: boolean
  error: Error | null
  onMore: () => void
  /** Where they stand, and by which elements one gets from one to the next. */
  list: RefObject<HTMLElement | null>
  items: string
}

const itemsIn = (list: RefObject<HTMLElement | null>, items: string) => [
  ...(list.current?.querySelectorAll<HTMLElement>(items) ?? []),
]

/** Loads the next page of a list below what it shows. Who reads on by keyboard or ear goes on at the first new one. */
export const ShowMore = (props: ShowMoreProps) => {
  const { what, shown, hasMore, isBusy, error, onMore, list, items } = props
  /** What was there when more was asked for. */
  const before = useRef<{ shown: number; items: readonly Element[] }>(undefined)
  const [isAsked, setIsAsked] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (!before.current || shown <= before.current.shown) return
    const { items: known } = before.current
    before.current = undefined
    // A focus that has gone elsewhere meanwhile stays there.
    const { activeElement } = document
    if (activeElement !== document.body && !frame.current?.contains(activeElement)) return
    const isNew = (item: Element) => !known.includes(item) && !item.closest('details:not([open])')
    const first = itemsIn(list, items).find(isNew) ?? status.current
    if (!first) return
    first.tabIndex = -1
    first.focus()
  }, [shown, list, items])
  if (!hasMore && !isAsked) return null
  return (
    <div ref={frame} className="mt-4 space-y-4">
      {error && (
        <Notice kind="problem" title={`The next ${what} did not load`}>
          {messageOf(error)}
        </Notice>
      )}
      <p ref={status} role="status" className="text-quiet-ink tabular-nums">
        {isAsked && (hasMore ? `${shown} ${what} so far.` : `All ${shown} ${what} are here.`)}
      </p>
      {hasMore && (
        <Button
          variant="outline"
          className="w-full sm:w-auto"
          busy={isBusy}
          onClick={() => {
            before.current = { shown, items: itemsIn(list, items) }
            setIsAsked(true)
            onMore()
          }}
        >
          Show more {what}
        </Button>
      )}
    </div>
  )
}
