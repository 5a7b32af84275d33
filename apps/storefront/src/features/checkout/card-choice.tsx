import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { messageOf } from '#lib/message-of.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { Skeleton } from '#ui/page/skeleton.tsx'

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
