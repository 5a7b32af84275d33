import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'

/** Its form comes when someone asks for it. */
const CancelPurchase = lazy(async () => ({
  default: (await import('#features/cancellation/cancel-purchase.tsx')).CancelPurchase,
}))

type CancellingProps = {
  /** Asks about one of these payments. */
  children: (cancel: (paymentIds: readonly string[]) => void) => ReactNode
}

/** Where payments are cancelled. Its dialog stands beside the lists: what was cancelled changes them under it. */
export const Cancelling = ({ children }: CancellingProps) => {
  const [paymentIds, setPaymentIds] = useState<readonly string[]>()
  const lists = useRef<HTMLDivElement>(null)
  const close = () => {
    setPaymentIds(undefined)
    // The button that had the focus has gone with what was cancelled.
    if (document.activeElement === document.body) lists.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <div ref={lists} tabIndex={-1} className="outline-none">
        {children(setPaymentIds)}
      </div>
      <Dialog open={paymentIds !== undefined} onClose={close} title="Cancel or withdraw">
        {paymentIds && (
          <Suspense fallback={<Skeleton lines={5} />}>
            <CancelPurchase paymentIds={paymentIds} onClose={() => setPaymentIds(undefined)} />
          </Suspense>
        )}
      </Dialog>
    </>
  )
}
