import { PayerForm } from '@hedgerow/contract/payments'
import { BANK_AREAS } from '@hedgerow/domain/bank-countries'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { CURRENCY_NAMES, type CurrencyCode } from '@hedgerow/domain/money'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { BankSelect } from '#features/checkout/bank-select.tsx'
import { payByBank } from '#features/checkout/pay.ts'
import { PayerFields } from '#features/checkout/payer-fields.tsx'
import { PaymentForm } from '#features/checkout/payment-form.tsx'
import { banksQuery, paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { type CheckoutTabProps, usePayment } from '#features/checkout/use-payment.ts'

/** A bank is required only where there is a list of them, so it is no rule of the form. */
const resolver = checkedBy(z.extend(PayerForm, { bankId: z.optional(z.string()) }))
const NAMES = ['bankId', 'firstName', 'lastName', 'email', 'acceptTerms'] as const

/** Nothing is converted. */
const accountLine = (currency: CurrencyCode) =>
  `This order is in ${CURRENCY_NAMES[currency].toLowerCase()}, so your account has to be with a bank ${BANK_AREAS[currency]}.`

/** A hook of its own, because the tabs keep what was typed while the form itself is out of sight. */
export const useBankPayment = ({
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
  const { firstName, lastName, email } = payer
  const currency = order.currency.code
  const form = useCheckedForm(resolver, NAMES, { bankId: '', firstName, lastName, email })
  const methods = useQuery({ ...paymentMethodsQuery, enabled: isShown })
  const bankList = useQuery({ ...banksQuery, enabled: isShown })
  const banks = bankList.data?.filter((bank) => bank.currency === currency)
  const { needsBank = false } = methods.data?.openBanking ?? {}
  const isPayable = form.isValid && !(needsBank && !banks?.length)
  const submit: typeof form.submit = (send) =>
    form.submit(async (values) => {
      const isMissing = !values.bankId && banks && banks.length > 0
      if (isMissing) form.refuse({ errors: [{ path: 'bankId', message: OUR_MESSAGES.bank }] })
      else await send(values)
    })
  const payment = usePayment({
    goods,
    form: { ...form, submit },
    pay: ({ bankId, ...values }, instead) =>
      payByBank(order, {
        ...values,
        ...saleTo,
        ...(bankId ? { bankId } : {}),
        ...(instead ? { instead } : {}),
      }),
    onChanged,
    onReject,
    removePromocode,
    applyTyped,
    refusePlace,
    onReturn: onChanged,
  })
  const isOffered = methods.data?.openBanking.currencies.includes(currency) ?? true
  return { form, payment, banks, bankList, currency, isOffered, needsBank, isPayable }
}

type BankPaymentFormProps = ReturnType<typeof useBankPayment> & { sum: string }

export const BankPaymentForm = ({
  form,
  payment,
  banks,
  bankList,
  currency,
  isOffered,
  needsBank,
  isPayable,
  sum,
}: BankPaymentFormProps) =>
  isOffered ? (
    <PaymentForm
      payment={payment}
      isValid={isPayable}
      terms={form.field('acceptTerms')}
      sum={sum}
      wayBack="Open Banking cannot send money back automatically, so we send it to your account ourselves, within 14 days."
    >
      <div className="space-y-2">
        <p>You approve the payment in your bank’s own app or pages. We never see your login.</p>
        <p className="text-quiet-ink">{accountLine(currency)}</p>
      </div>
      <BankSelect banks={banks} list={bankList} isNeeded={needsBank} control={form.field('bankId')} />
      <PayerFields field={form.field} emailHint="So that your bank can email you about it." />
    </PaymentForm>
  ) : (
    <Notice kind="warning" title={`You cannot pay from a bank account in ${currency} here`}>
      Choose another way to pay.
    </Notice>
  )
