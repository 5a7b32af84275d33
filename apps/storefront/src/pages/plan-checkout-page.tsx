import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo } from 'react'
import { useLocation, useParams } from 'wouter'
import { CardChoice } from '#features/checkout/card-choice.tsx'
import { CardPayment } from '#features/checkout/card-payment.tsx'
import { HostedCardPayment } from '#features/checkout/hosted-card-payment.tsx'
import { payPlanByCard, payPlanByHostedCard } from '#features/checkout/pay.ts'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { purchaseOf } from '#features/checkout/purchases.ts'
import { SoldBy } from '#features/checkout/sold-by.tsx'
import { PlanSummary, planPrice } from '#features/plans/plan-summary.tsx'
import { planDiscount } from '#features/promocodes/discounts.ts'
import { PromocodeBox } from '#features/promocodes/promocode-box.tsx'
import { usePlanPromocode } from '#features/promocodes/use-plan-promocode.ts'
import { messageOf } from '#lib/message-of.ts'
import { plansQuery } from '#shared/plans-query.ts'
import { useSession } from '#shared/session.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/page/card.tsx'
import { Notice } from '#ui/page/notice.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'
import { Skeleton } from '#ui/page/skeleton.tsx'

const Columns = ({ summary, form }: { summary: ReactNode; form: ReactNode }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Card className="min-h-78">{summary}</Card>
    <Card className="min-h-140">{form}</Card>
  </div>
)

const NotLoaded = ({ error, retry }: { error: Error; retry: () => void }) => (
  <Notice kind="problem" title="The plan did not load">
    <p>{messageOf(error)}</p>
    <Button variant="outline" className="mt-3" onClick={retry}>
      Try again
    </Button>
  </Notice>
)

const NotSold = () => (
  <Notice kind="problem" title="We could not find this plan">
    <p>It may no longer be sold. Nothing was charged.</p>
    <ButtonLink to="/products" variant="outline" className="mt-3">
      See the prices
    </ButtonLink>
  </Notice>
)

const PlanCheckout = ({ itemId, accountId }: { itemId: string; accountId: string }) => {
  const [, navigate] = useLocation()
  const { data, error, refetch } = useQuery(plansQuery)
  // With the plan, not after it.
  usePrefetchQuery(paymentMethodsQuery)
  const { checked, lost, apply, remove, checkAgain } = usePlanPromocode(accountId, itemId)
  const purchase = useMemo(() => purchaseOf(accountId, itemId), [accountId, itemId])
  // Begun as the page opens, so that whatever is made of this tab buys the same.
  useEffect(() => void purchase.id(), [purchase])
  const reload = useCallback(() => {
    void refetch()
    void checkAgain()
  }, [refetch, checkAgain])
  const plan = data?.plans.find(({ id }) => id === itemId)
  if (!data && error) return <NotLoaded error={error} retry={reload} />
  if (!data) {
    return (
      <Columns
        summary={<Skeleton label="Loading the plan" lines={6} />}
        form={<Skeleton label="" lines={12} />}
      />
    )
  }
  if (!plan) return <NotSold />
  const discount = checked && planDiscount(plan.priceMinor, checked)
  const sold = () => ({
    purchaseId: purchase.id(),
    ...(discount ? { promocode: discount.promocode, total: discount.total } : {}),
  })
  const sum = discount?.sum ?? planPrice(plan)
  const payment = {
    sum,
    onChanged: reload,
    removePromocode: discount && remove,
    leadTo: purchase.leadTo,
    onReject: () => navigate('/payment/reject', { state: { again: `/payment/checkout/${plan.id}` } }),
  }
  return (
    <Columns
      summary={
        <>
          <h2 className="mb-4 text-xl">Your plan</h2>
          <PlanSummary plan={plan} total={sum}>
            <PromocodeBox discount={discount} apply={apply} remove={remove} lost={lost} />
          </PlanSummary>
          <SoldBy />
        </>
      }
      form={
        <>
          <h2 className="mb-4 text-xl">Card</h2>
          <CardChoice
            own={<CardPayment pay={(card) => payPlanByCard(plan.id, card, sold())} {...payment} />}
            hosted={
              <HostedCardPayment
                pay={(details) => payPlanByHostedCard(plan.id, details, sold())}
                {...payment}
              />
            }
          />
        </>
      }
    />
  )
}

const PlanCheckoutPage = () => {
  const { itemId = '' } = useParams()
  const { profile } = useSession()
  if (!profile) return null
  return (
    <>
      <PageHeader title="Checkout" />
      {/* Another plan is another form. */}
      <PlanCheckout key={itemId} itemId={itemId} accountId={profile._id} />
    </>
  )
}

export default PlanCheckoutPage
