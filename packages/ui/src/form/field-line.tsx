import type { ReactNode } from 'react'

/** A field and the button that belongs to it: in one line where there is room, as high as each other. */
export const FieldLine = ({ field, button }: { field: ReactNode; button: ReactNode }) => (
  <div className="grid justify-items-start gap-x-3 gap-y-4 sm:grid-cols-[1fr_auto]">
    <div className="w-full min-w-0">{field}</div>
    <div className="sm:mt-8">{button}</div>
  </div>
)
