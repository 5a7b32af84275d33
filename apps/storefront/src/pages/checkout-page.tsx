import { ApiError } from '@hedgerow/contract/client'
import type { Order } from '@hedgerow/contract/orders'
import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { describeGoods } from '@hedgerow/domain/order-description'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import { FEATURES, fromWireFeatures } from '@hedgerow/domain/pricing'
import { describeRenewal } from '@hedgerow/domain/renewals'
import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback, useRef } from 'react'
import { useLocation, useParams } from 'wouter'
import { type LastAttempt, LastAttemptNotice, usePassedAttempt } from '#features/checkout/last-attempt.tsx'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { PaymentTabs } from '#features/checkout/payment-tabs.tsx'
import { SalePlaceField, vatNoteOf } from '#features/checkout/sale-place.tsx'
import { SoldBy } from '#features/checkout/sold-by.tsx'
import { SummaryCard } from '#features/checkout/summary-card.tsx'
import { useSalePlace } from '#features/checkout/use-sale-place.ts'
import { OrderSummary, orderTotal } from '#features/orders/order-summary.tsx'
import { OrderPromocode } from '#features/promocodes/order-promocode.tsx'
import { useOrderPromocode } from '#features/promocodes/use-order-promocode.ts'
import { useChargedIn } from '#shared/currency.tsx'
import { ORDERS_KEY, orderQuery } from '#shared/purchase-queries.ts'
import { useSession } from '#shared/session.tsx'
import { usePayments } from '#shared/use-payments.ts'

const NOT_FOUND = [404, 400]
const ENDED_IN_VAIN: readonly PaymentStatus[] = ['Decline', 'Error']

const OrderProblem = ({ error, retry }: { error: Error; retry: () => void }) =>
  error instanceof ApiError && NOT_FOUND.includes(error.status) ? (
    <Notice kind="problem" title="We could not find this order">
      <p>It may belong to another account.</p>
      <ButtonLink to="/products" variant="outline" className="mt-3">
        Choose again
      </ButtonLink>
    </Notice>
  ) : (
    <Notice kind="problem" title="The order did not load">
      <p>{messageOf(error)}</p>
      <Button variant="outline" className="mt-3" onClick={retry}>
        Try again
      </Button>
    </Notice>
  )

/** Why an order cannot be paid any more, if so. */
const Settled = ({ order }: { order: Order }) =>
  order.status === 'Completed' ? (
    <Notice kind="done" title="This order is paid">
      <p>Your connections are in your profile.</p>
      <ButtonLink to="/profile" className="mt-3">
        Go to your profile
      </ButtonLink>
    </Notice>
  ) : (
    <Notice kind="warning" title="This order has expired">
      <p>Its price was held for a day. Nothing was charged.</p>
      <ButtonLink to="/products" className="mt-3">
        Choose again
      </ButtonLink>
    </Notice>
  )

/** All that is bought, for where the lines of it are folded away. */
const allGoodsOf = (order: Order) => {
  const renewed = order.renew.map(({ name }) => name)
  const features = fromWireFeatures(order.features)
  return [
    renewed.length === 0
      ? describeGoods(order)
      : `${describeGoods(order)}: ${describeRenewal(renewed, order.connections)}`,
    ...FEATURES.filter(({ key }) => features[key]).map(({ label }) => label),
  ].join(', ')
}

/** As the page before tells it; who comes by another way, such as our mail, finds it in the payments. */
const useLastAttempt = ({ orderId, status }: Order): LastAttempt => {
  const passed = usePassedAttempt()
  const isAsked = status === 'Rejected' && passed === null
  const isLast = (one: PaymentHistoryItem) => one.orderId === orderId && ENDED_IN_VAIN.includes(one.status)
  const { data = [] } = usePayments((all) => all.some(isLast), { enabled: isAsked })
  if (!isAsked) return passed ?? {}
  const last = data.find(isLast)
  return last ? { reason: last.reason, isCharged: last.isCharged ?? false } : {}
}

type PaymentProps = Omit<ComponentProps<typeof PaymentTabs>, 'order' | 'sum' | 'onReject'> & {
  order: Order
  /** Stands above the ways to pay, and belongs to all of them. */
  saleField: ReactNode
}

const Payment = ({ order, saleField, ...rest }: PaymentProps) => {
  const [, navigate] = useLocation()
  const attempt = useLastAttempt(order)
  return (
    <Card>
      <h2 className="mb-4 text-xl">Payment</h2>
      {order.status === 'Rejected' && <LastAttemptNotice attempt={attempt} />}
      {saleField}
      <PaymentTabs
        // Another order is another form.
        key={order.orderId}
        order={order}
        sum={orderTotal(order)}
        onReject={() => navigate('/payment/reject', { state: { again: `/checkout/${order.orderId}` } })}
        {...rest}
      />
    </Card>
  )
}

/** About as high as what will stand there, so that nothing below it jumps. */
const Placeholder = () => (
  <>
    <Card className="lg:min-h-100">
      <Skeleton label="Loading your order" lines={3} />
    </Card>
    <Card className="min-h-140">
      <Skeleton label="" lines={12} />
    </Card>
  </>
)

const CheckoutPage = () => {
  const { orderId = '' } = useParams()
  const { profile } = useSession()
  const queryClient = useQueryClient()
  const { data: order, error } = useQuery(orderQuery(orderId))
  useChargedIn(order?.currency.code)
  // With the order, not after it.
  usePrefetchQuery(paymentMethodsQuery)
  // The list of orders too: this one may have been paid meanwhile, in a document of its own or in another tab.
  const reload = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: ORDERS_KEY }),
    [queryClient],
  )
  const showOrder = useCallback(
    (changed: Order) => queryClient.setQueryData(orderQuery(orderId).queryKey, changed),
    [queryClient, orderId],
  )
  const typedCode = useRef<() => Promise<boolean>>(null)
  const code = useOrderPromocode(orderId, showOrder)
  const place = useSalePlace(profile?._id ?? '')
  const vat = vatNoteOf(place)
  const isSettled =
    order !== undefined && (order.status === 'Completed' || new Date(order.expiresAt).getTime() < Date.now())

  if (!profile) return null
  return (
    <>
      <PageHeader title="Checkout" />
      {!order && error ? (
        <OrderProblem error={error} retry={reload} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {order ? (
            <>
              <SummaryCard title="Your order" goods={allGoodsOf(order)} total={orderTotal(order)} note={vat}>
                <OrderSummary order={order} vat={vat}>
                  {/* Another order is another code. */}
                  <OrderPromocode
                    key={order.orderId}
                    order={order}
                    isSettled={isSettled}
                    applyTyped={typedCode}
                    {...code}
                  />
                </OrderSummary>
                <SoldBy />
              </SummaryCard>
              {isSettled ? (
                <Settled order={order} />
              ) : (
                <Payment
                  order={order}
                  goods={describeGoods(order)}
                  payer={profile}
                  saleField={<SalePlaceField place={place} profileCountry={profile.addressCountry} />}
                  saleTo={place.saleTo}
                  refusePlace={place.refuse}
                  onChanged={reload}
                  applyTyped={async () => (await typedCode.current?.()) ?? false}
                  removePromocode={order.promocode === undefined ? undefined : code.remove}
                />
              )}
            </>
          ) : (
            <Placeholder />
          )}
        </div>
      )}
    </>
  )
}

export default CheckoutPage
