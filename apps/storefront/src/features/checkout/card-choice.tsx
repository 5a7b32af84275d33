import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'

/** The form for a card, as the operator wants it. None is shown before that is known: nobody types a number in vain. */
export const CardChoice = ({ own, hosted }: { own: ReactNode; hosted: ReactNode }) => {
  const { data, error, refetch } = useQuery(paymentMethodsQuery)
  if (data) return data.card.hosted ? hosted : own
  if (!error) return <Skeleton label="Loading the card form" lines={10} />
  return (
    <Notice kind="problem" title="The card form did not load">
      <p>{messageOf(error)}</p>
      <Button variant="outline" className="mt-3" onClick={() => void refetch()}>
        Try again
      </Button>
    </Notice>
  )
}
