import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useEffect } from 'react'
import { LikelyDoor, type Wanted } from '#features/orders/doors.tsx'
import { useCreateOrder } from '#features/orders/use-create-order.ts'
import { endArrival } from '#lib/going-to.ts'
import { useSession } from '#shared/session.tsx'

type BuyButtonProps = Wanted & {
  isPending: boolean
  /** The visitor asked for it, and has just logged in: it is ordered as if the button was pressed. */
  isAskedFor: boolean
}

/** A customer orders. A visitor logs in or signs up first, and what was chosen is ordered then. */
export const BuyButton = ({ choice, currency, renew, place, isPending, isAskedFor }: BuyButtonProps) => {
  const { state } = useSession()
  const { create, isBusy, error } = useCreateOrder()
  const isReady = state === 'in' && !isPending

  useEffect(() => {
    if (isAskedFor && isReady && endArrival()) create(choice, currency, renew, place)
  }, [isAskedFor, isReady, create, choice, currency, renew, place])

  return (
    <>
      {error && (
        <Notice kind="problem" title="Your order was not placed" className="mb-4">
          {messageOf(error)}
        </Notice>
      )}
      {state === 'out' && renew.length > 0 && (
        <p className="mb-3 text-quiet-ink">
          {`Log in to extend ${renew.length === 1 ? 'your connection' : 'your connections'}.`}
        </p>
      )}
      {state === 'out' ? (
        <LikelyDoor choice={choice} currency={currency} renew={renew} place={place} />
      ) : (
        <Button
          className="w-full"
          busy={isBusy || isPending || state === 'loading'}
          onClick={() => create(choice, currency, renew, place)}
        >
          Buy
        </Button>
      )}
    </>
  )
}
