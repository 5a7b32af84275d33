import { describeGoods } from '@hedgerow/domain/order-description'
import { PLAN_CURRENCY, type Plan, planCheckoutPath } from '@hedgerow/domain/plans'
import { describeRenewal } from '@hedgerow/domain/renewals'
import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import { CardChoice } from '#features/checkout/card-choice.tsx'
import { CardPayment } from '#features/checkout/card-payment.tsx'
import { HostedCardPayment } from '#features/checkout/hosted-card-payment.tsx'
import { LastAttemptNotice, usePassedAttempt } from '#features/checkout/last-attempt.tsx'
import { payPlanByCard, payPlanByHostedCard } from '#features/checkout/pay.ts'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { purchaseOf } from '#features/checkout/purchases.ts'
import { SalePlaceField, vatNoteOf } from '#features/checkout/sale-place.tsx'
import { SoldBy } from '#features/checkout/sold-by.tsx'
import { SummaryCard } from '#features/checkout/summary-card.tsx'
import { useSalePlace } from '#features/checkout/use-sale-place.ts'
import { renewFrom } from '#features/orders/choice-params.ts'
import { type Renewable, renewableOf } from '#features/orders/renewable.ts'
import { PlanSummary, planPrice } from '#features/plans/plan-summary.tsx'
import { planDiscount } from '#features/promocodes/discounts.ts'
import { PromocodeBox } from '#features/promocodes/promocode-box.tsx'
import { usePlanPromocode } from '#features/promocodes/use-plan-promocode.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useChargedIn } from '#shared/currency.tsx'
import { LocationField } from '#shared/location-field.tsx'
import { locationsQuery, type Place } from '#shared/locations-query.ts'
import { plansQuery } from '#shared/plans-query.ts'
import { useSession } from '#shared/session.tsx'
import { useConnectionsWith } from '#shared/use-connections.ts'

const Columns = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">{children}</div>
)

/** About as high as what will stand there. */
const Placeholder = () => (
  <Columns>
    <Card className="lg:min-h-78">
      <Skeleton label="Loading the plan" lines={3} />
    </Card>
    <Card className="min-h-140">
      <Skeleton label="" lines={12} />
    </Card>
  </Columns>
)

const NotLoaded = ({ what, error, retry }: { what: string; error: Error; retry: () => void }) => (
  <Notice kind="problem" title={`${what} did not load`}>
    <p>{messageOf(error)}</p>
    <Button variant="outline" className="mt-3" onClick={retry}>
      Try again
    </Button>
  </Notice>
)

const NotSold = () => (
  <Notice kind="problem" title="We could not find this plan">
    <p>It may no longer be on sale. Nothing was charged.</p>
    <ButtonLink to="/products" variant="outline" className="mt-3">
      See the prices
    </ButtonLink>
  </Notice>
)

/** Those of the connections in the address that a plan can extend. */
const useRenewal = () => {
  const wanted = renewFrom(usePageSearch())
  const names = wanted.join()
  const [now] = useState(() => new Date())
  const { connections, error, retry } = useConnectionsWith(wanted)
  const renewal = useMemo(
    () =>
      connections &&
      renewableOf(connections, now).filter(
        ({ id, features }) => names.includes(id) && !Object.values(features).some(Boolean),
      ),
    [names, connections, now],
  )
  return { renewal, error, retry }
}

type PlanCheckoutProps = {
  itemId: string
  accountId: string
  /** As the profile has it. */
  country: string
  renewal: readonly Renewable[]
}

const PlanCheckout = ({ itemId, accountId, country, renewal }: PlanCheckoutProps) => {
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(plansQuery)
  // With the plan, not after it.
  usePrefetchQuery(paymentMethodsQuery)
  const { checked, lost, apply, remove, checkAgain } = usePlanPromocode(accountId, itemId)
  const renew = useMemo(() => renewal.map(({ id }) => id), [renewal])
  // Extending others is another purchase.
  const bought = [itemId, ...renew].join()
  const purchase = useMemo(() => purchaseOf(accountId, bought), [accountId, bought])
  const asked = new URLSearchParams(useSearch()).get('location')
  const [place, setPlace] = useState<Place>(asked ? { location: asked } : {})
  // Begun as the page opens, so that whatever is made of this tab buys the same.
  useEffect(() => void purchase.id(), [purchase])
  const reload = useCallback(() => {
    void refetch()
    void checkAgain()
    void queryClient.invalidateQueries({ queryKey: locationsQuery.queryKey })
  }, [refetch, checkAgain, queryClient])
  const typedCode = useRef<() => Promise<boolean>>(null)
  const attempt = usePassedAttempt()
  const salePlace = useSalePlace(accountId)
  const vat = vatNoteOf(salePlace)
  const plan = data?.plans.find(({ id }) => id === itemId)
  if (!data && error) return <NotLoaded what="The plan" error={error} retry={reload} />
  if (!data) return <Placeholder />
  if (!plan) return <NotSold />
  const discount = checked && planDiscount(plan.priceMinor, checked)
  const sold = () => ({
    purchaseId: purchase.id(),
    ...(renew.length > 0 ? { renew } : {}),
    ...place,
    ...salePlace.saleTo,
    ...(discount ? { promocode: discount.promocode, total: discount.total } : {}),
  })
  const sum = discount?.sum ?? planPrice(plan)
  const goods = describeGoods({
    plan_name: plan.name,
    plan_period: plan.period,
    days: null,
    connections: plan.connections,
  })
  const payment = {
    goods,
    sum,
    onChanged: reload,
    refusePlace: salePlace.refuse,
    removePromocode: discount && remove,
    applyTyped: async () => (await typedCode.current?.()) ?? false,
    leadTo: purchase.leadTo,
    onReject: () =>
      navigate('/payment/reject', { state: { again: planCheckoutPath(plan.id, renew, place.location) } }),
  }
  return (
    <Columns>
      <SummaryCard title="Your plan" goods={goods} total={sum} isUrgent={lost !== undefined} note={vat}>
        <PlanSummary plan={plan} total={sum} renewal={describeExtended(renewal, plan)} vat={vat}>
          <PromocodeBox
            discount={discount}
            apply={apply}
            remove={remove}
            lost={lost}
            applyTyped={typedCode}
          />
        </PlanSummary>
        <SoldBy />
      </SummaryCard>
      <Card className="min-h-140">
        {/* Beside what folds away on a phone: it is to be seen before paying. */}
        <div className="mb-6">
          <LocationField layerId={plan.layerId} place={place} onChange={setPlace} />
        </div>
        {/* Not under the heading of the card: it is the customer's country, not the card's. */}
        <SalePlaceField place={salePlace} profileCountry={country} />
        <h2 className="mb-4 text-xl">Card</h2>
        {attempt && <LastAttemptNotice attempt={attempt} />}
        <CardChoice
          own={<CardPayment pay={(card) => payPlanByCard(plan.id, card, sold())} {...payment} />}
          hosted={
            <HostedCardPayment
              pay={(details) => payPlanByHostedCard(plan.id, details, sold())}
              {...payment}
            />
          }
        />
      </Card>
    </Columns>
  )
}

const describeExtended = (renewal: readonly Renewable[], { connections }: Plan) =>
  renewal.length === 0
    ? undefined
    : describeRenewal(
        renewal.map(({ name }) => name),
        connections,
      )

const PlanCheckoutPage = () => {
  const { itemId = '' } = useParams()
  const { profile } = useSession()
  useChargedIn(PLAN_CURRENCY)
  const { renewal, error, retry } = useRenewal()
  if (!profile) return null
  return (
    <>
      <PageHeader title="Checkout" />
      {!renewal && error && <NotLoaded what="What you extend" error={error} retry={retry} />}
      {!renewal && !error && <Placeholder />}
      {renewal && (
        // Another plan is another form.
        <PlanCheckout
          key={itemId}
          itemId={itemId}
          accountId={profile._id}
          country={profile.addressCountry}
          renewal={renewal}
        />
      )}
    </>
  )
}

export default PlanCheckoutPage
