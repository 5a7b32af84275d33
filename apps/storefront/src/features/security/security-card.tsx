import { Card } from '@hedgerow/ui/page/card.tsx'
import { type ReactNode, type Ref, useId } from 'react'

type SecurityCardProps = {
  title: string
  lead: ReactNode
  /** To hand the focus to when what was pressed is gone. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** One part of the security page. */
export const SecurityCard = ({ title, lead, headingRef, children }: SecurityCardProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card>
        <h2 id={id} ref={headingRef} tabIndex={-1} className="w-fit text-xl">
          {title}
        </h2>
        <p className="mt-1 mb-5 max-w-measure text-quiet-ink">{lead}</p>
        {children}
      </Card>
    </section>
  )
}
