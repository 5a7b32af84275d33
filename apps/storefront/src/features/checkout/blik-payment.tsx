import { PayerForm } from '@hedgerow/contract/payments'
import { BLIK_CURRENCY, BLIK_MOST_MINOR, formatCharged } from '@hedgerow/domain/exchange'
import { toMajor } from '@hedgerow/domain/money'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type BlikPrice, blikPrice, rateLine } from '#features/checkout/blik-price.ts'
import { payByBlik } from '#features/checkout/pay.ts'
import { PayerFields } from '#features/checkout/payer-fields.tsx'
import { PaymentForm } from '#features/checkout/payment-form.tsx'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { type CheckoutTabProps, usePayment } from '#features/checkout/use-payment.ts'

const resolver = checkedBy(PayerForm)
const NAMES = ['firstName', 'lastName', 'email', 'acceptTerms'] as const

/** A hook of its own, because the tabs keep what was typed while the form itself is out of sight. */
export const useBlikPayment = ({
  goods,
  order,
  payer,
  isShown,
  onChanged,
  onReject,
  removePromocode,
  applyTyped,
  refusePlace,
  saleTo,
}: CheckoutTabProps) => {
  const { firstName, lastName } = payer
  const form = useCheckedForm(resolver, NAMES, { firstName, lastName, email: '' })
  const methods = useQuery({ ...paymentMethodsQuery, enabled: isShown })
  const price = methods.data && blikPrice(order, methods.data)
  const reload = () => {
    void methods.refetch()
    onChanged()
  }
  const payment = usePayment({
    goods,
    form,
    pay: (values, instead) =>
      payByBlik(order, {
        ...values,
        ...saleTo,
        ...(price ? { settles: toMajor(price.minor) } : {}),
        ...(instead ? { instead } : {}),
      }),
    onChanged: reload,
    onReject,
    removePromocode,
    applyTyped,
    refusePlace,
    onReturn: onChanged,
  })
  return { form, payment, price, methods, order }
}

const MOST = Math.floor(BLIK_MOST_MINOR / 100).toLocaleString('en-GB')

type BlikPaymentFormProps = ReturnType<typeof useBlikPayment>

const NotPossible = ({ title, children }: { title: string; children?: ReactNode }) => (
  <Notice kind="warning" title={title}>
    <span>{children}</span> Choose another way to pay.
  </Notice>
)

const Priced = ({ form, payment, price, order }: BlikPaymentFormProps & { price: BlikPrice }) => (
  <PaymentForm
    payment={payment}
    isValid={form.isValid}
    terms={form.field('acceptTerms')}
    sum={formatCharged(price.minor, BLIK_CURRENCY)}
  >
    <div className="space-y-2">
      <p>You confirm with the six-digit code from the app of your Polish bank.</p>
      <p className="text-quiet-ink">Blik pays in złoty only:</p>
      <p className="font-medium tabular-nums">{rateLine(order, price)}</p>
    </div>
    <PayerFields field={form.field} emailHint="If you leave it empty, we use the email of your account." />
  </PaymentForm>
)

/** The sum in złoty is said before anyone pays it; where it cannot be, nothing can be paid. */
export const BlikPaymentForm = (props: BlikPaymentFormProps) => {
  const { price, methods, order } = props
  if (!methods.data && methods.error) {
    return (
      <Notice kind="problem" title="The rate did not load">
        <p>{messageOf(methods.error)}</p>
        <Button
          variant="outline"
          className="mt-3"
          busy={methods.isFetching}
          onClick={() => void methods.refetch()}
        >
          Try again
        </Button>
      </Notice>
    )
  }
  if (!methods.data) return <Skeleton label="Loading the rate" lines={12} className="min-h-120" />
  if (!price) return <NotPossible title={`You cannot pay by Blik in ${order.currency.code} here`} />
  if (price.minor > BLIK_MOST_MINOR) {
    return (
      <NotPossible title={`Blik takes ${MOST} PLN at most`}>
        {`This order comes to ${formatCharged(price.minor, BLIK_CURRENCY)}.`}
      </NotPossible>
    )
  }
  return <Priced {...props} price={price} />
}
