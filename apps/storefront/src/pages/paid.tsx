import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BoughtConnections, boughtBy } from '#features/connections/bought-connections.tsx'
import { downloadOrderInvoice } from '#features/invoices/download-invoice.ts'
import { PaidReceipt } from '#features/payment-history/paid-receipt.tsx'
import { PROFILE_KEY } from '#shared/profile-query.ts'
import { useConnections } from '#shared/use-connections.ts'
import { usePayments } from '#shared/use-payments.ts'

/** So often it is asked whether connections that wait for room have been made. */
const ASK_AGAIN_MS = 10_000

const waits = (payment: PaymentHistoryItem | undefined) =>
  payment?.status === 'Success' && payment.orderStatus !== 'Completed' && !payment.refundDue

/** What a payment of the customer's has bought, and its receipt. Nothing for anyone else's. */
const Paid = ({ paymentId }: { paymentId: string }) => {
  const queryClient = useQueryClient()
  const find = (payments: readonly PaymentHistoryItem[]) => payments.find(({ _id }) => _id === paymentId)
  const { data = [], isReading } = usePayments((all) => find(all) !== undefined, {
    refetchInterval: (all) => (waits(find(all)) ? ASK_AGAIN_MS : false),
  })
  const payment = find(data)
  const isDelivered = payment?.orderStatus === 'Completed'
  // What it has bought may end sooner and later than everything else.
  const connections = useConnections(() => !isDelivered)
  const bought = boughtBy(connections.connections, paymentId)
  const isMissing = isDelivered && bought.length === 0 && !connections.isReading
  const isLoadingProfile = useIsFetching({ queryKey: PROFILE_KEY }) > 0
  // The profile was loaded before they were made.
  useEffect(() => {
    if (isMissing) void queryClient.refetchQueries({ queryKey: PROFILE_KEY })
  }, [isMissing, queryClient])
  if (isReading || connections.isReading || (isMissing && isLoadingProfile))
    return <Skeleton label="Loading what you bought" lines={8} />
  return (
    <div className="space-y-6">
      {waits(payment) && (
        <Notice kind="info" title="Your connections are on their way">
          Every server is full at the moment. We will set them up as soon as there is room, and email you. The
          days count from then. You can close this page.
        </Notice>
      )}
      <BoughtConnections connections={bought} />
      {payment && <PaidReceipt payment={payment} onInvoice={downloadOrderInvoice} />}
      {/* Not before: it would move as the rest comes. */}
      <ButtonLink to="/profile" variant="outline" className="w-full sm:w-auto">
        Continue
      </ButtonLink>
    </div>
  )
}

export default Paid
