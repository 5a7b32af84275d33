import { useState } from 'react'
import type { SaleSaid } from '#features/checkout/use-sale-place.ts'
import { vatLine } from '#features/checkout/vat-line.ts'

/** Read out when it changes: what changes it stands elsewhere. */
export const VatNote = ({ said }: { said: SaleSaid }) => {
  const [now] = useState(() => new Date())
  return <span aria-live="polite">{vatLine(said, now)}</span>
}
