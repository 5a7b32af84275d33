import type { PartnerBilling } from '@hedgerow/contract/partnership'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { billingQuery } from '#features/partnership/partnership-queries.ts'

const BillingForm = lazy(() =>
  import('#features/partnership/billing-form.tsx').then((m) => ({ default: m.BillingForm })),
)

type OpenBillingProps = { onSaved: (billing: PartnerBilling) => void; onCancel: () => void }

const OpenBilling = (props: OpenBillingProps) => {
  const { data, error, refetch, isFetching } = useQuery(billingQuery)
  if (!data && error)
    return (
      <Notice kind="problem" title="Your tax details did not load">
        <p>{messageOf(error)}</p>
        <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    )
  const loading = <Skeleton label="Loading your tax details" lines={8} />
  return data ? (
    <Suspense fallback={loading}>
      <BillingForm billing={data} {...props} />
    </Suspense>
  ) : (
    loading
  )
}

/** Whom the documents about withdrawals are to: the button, the form, and that it was saved. */
export const Billing = () => {
  const queryClient = useQueryClient()
  const [state, setState] = useState<'shut' | 'open' | 'left' | 'saved'>('shut')
  const opener = useRef<HTMLButtonElement>(null)
  // A customer who leaves the form by the keyboard goes on from where they came.
  useEffect(() => {
    if (state === 'left') opener.current?.focus()
  }, [state])
  const onSaved = (billing: PartnerBilling) => {
    queryClient.setQueryData(billingQuery.queryKey, billing)
    setState('saved')
  }
  if (state === 'open')
    return (
      <div className="mt-8">
        <OpenBilling onSaved={onSaved} onCancel={() => setState('left')} />
      </div>
    )
  return (
    <div className="mt-8 space-y-4">
      {state === 'saved' && (
        <FormNotice kind="done" title="Your tax details are saved">
          We print them on each document from now on.
        </FormNotice>
      )}
      <p className="max-w-measure text-quiet-ink">
        For each withdrawal we pay, you get a numbered document. You can choose the name and address on it,
        and give a VAT number if you have one.
      </p>
      <Button ref={opener} variant="outline" onClick={() => setState('open')}>
        Tax details
      </Button>
    </div>
  )
}
