import type { Profile } from '@hedgerow/contract/accounts'
import { ApiError } from '@hedgerow/contract/client'
import type { Problem } from '@hedgerow/contract/endpoint'
import type { SaleTo } from '@hedgerow/contract/vat-fields'
import { messageOf, referenceOf } from '@hedgerow/web/message-of.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from 'react'
import type { PayableOrder } from '#features/checkout/pay.ts'
import { paymentMethodsQuery } from '#features/checkout/payment-method-queries.ts'
import { paymentResultPath } from '#shared/payment-result-link.tsx'

/** What the form says after a payment was not taken, where the customer can do something about it here. */
export type PaymentNotice =
  /** Not known whether it has started. The reference is there where the shop itself has failed. */
  | { kind: 'lost'; reference: string | undefined }
  | { kind: 'closed' | 'refused'; message: string }
  /** So many came to nothing that no more are taken for a while. */
  | { kind: 'paused'; message: string; until: string | undefined }
  /** The promocode was not taken. It can be removed here. */
  | { kind: 'promocode'; message: string }
  /** It could not be removed either. */
  | { kind: 'promocode-kept'; message: string }
  /** The attempt under way keeps the promocode as it is. */
  | { kind: 'promocode-held'; paymentId: string | undefined }
  | { kind: 'promocode-removed' }
  /** Another attempt is under way; one that a bank is working on cannot be left. */
  | { kind: 'under-way' | 'at-work'; paymentId: string }

type SetNotice = Dispatch<SetStateAction<PaymentNotice | undefined>>

/** What the page of a checkout does for each of its forms. */
export type CheckoutCallbacks = {
  /** What is bought, in a line: said where it is paid. */
  goods: string
  /** What is paid for may not be as it was shown: load it again. */
  onChanged: () => void
  onReject: () => void
  /** Takes the promocode off what is paid; undefined without one. */
  removePromocode?: (() => Promise<void>) | undefined
  /** Applies a promocode that was typed and not sent. True where there was one: the total may be another then. */
  applyTyped?: (() => Promise<boolean>) | undefined
  /** Shows what was refused of the country and the VAT number, which stand beside the forms; false when that was nothing. */
  refusePlace?: ((problem: Problem) => boolean) | undefined
  /** Notes to which payment a press has led. False when an earlier one led there as well. */
  leadTo?: (paymentId: string) => boolean
}

/** What is paid on the checkout of an order, and by whom. */
export type OrderCheckout = CheckoutCallbacks & {
  order: PayableOrder
  /** The country and the VAT number, where the shop asks for them. */
  saleTo: SaleTo
  payer: Pick<Profile, 'firstName' | 'lastName' | 'email'>
}

/** What the tab of a payment method is given. What it has to load is loaded when it is shown. */
export type CheckoutTabProps = OrderCheckout & { isShown: boolean }

type PaymentOptions<V> = CheckoutCallbacks & {
  form: {
    submit: (send: (values: V) => Promise<void>) => () => Promise<void>
    refuse: (problem: Problem) => boolean
    isBusy: boolean
  }
  /** Returns the payment's id. `instead` is the attempt that is left for this one. */
  pay: (values: V, instead?: string) => Promise<string>
  /** The browser came back to this very page. */
  onReturn: () => void
}

/**
 * Goes to the page that waits for a payment, as a new document: only that page's content security policy lets a form be
 * sent to the issuer. True while the browser is on its way; `onReturn` is called when it comes back to this very page.
 */
const useLeaveForResult = (onReturn: () => void) => {
  const [isLeaving, setIsLeaving] = useState(false)

  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setIsLeaving(false)
      onReturn()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [onReturn])

  const leave = useCallback((paymentId: string) => {
    setIsLeaving(true)
    // What the page says of the attempt before is not true of this one.
    window.history.replaceState(null, '')
    window.location.assign(paymentResultPath(paymentId))
  }, [])

  return { isLeaving, leave }
}

/** Why the promocode is still there; nothing without a session, where the page itself sends to the login. */
const removalFailure = (error: unknown): PaymentNotice | undefined => {
  if (error instanceof ApiError && error.status === 401) return undefined
  if (error instanceof ApiError && error.problem.code === 'payment-under-way')
    return { kind: 'promocode-held', paymentId: error.problem.paymentId }
  return { kind: 'promocode-kept', message: messageOf(error) }
}

type RemovalOptions = Pick<CheckoutCallbacks, 'removePromocode' | 'onChanged'> & { setNotice: SetNotice }

/** Removes a promocode that stands in the way of paying. It pays nothing, and what was typed stays. */
const usePromocodeRemoval = ({ removePromocode, setNotice, onChanged }: RemovalOptions) => {
  const [isRemoving, setIsRemoving] = useState(false)
  const hasCode = removePromocode !== undefined

  // The code comes and goes elsewhere on the page too. What was said of it is not true any more then.
  useEffect(() => {
    const untrue = hasCode ? ['promocode-removed'] : ['promocode', 'promocode-kept', 'promocode-held']
    setNotice((last) => (last && untrue.includes(last.kind) ? undefined : last))
  }, [hasCode, setNotice])

  const run = async (remove: () => Promise<void>) => {
    setIsRemoving(true)
    await remove().then(
      () => setNotice({ kind: 'promocode-removed' }),
      (error) => {
        setNotice(removalFailure(error))
        // The answer may have been lost, or the order is not as it was shown.
        onChanged()
      },
    )
    setIsRemoving(false)
  }

  return {
    /** Undefined where there is none to remove. */
    removePromocode: removePromocode && (() => void run(removePromocode)),
    isRemoving,
  }
}

const isAboutPromocode = ({ code, errors }: Problem) =>
  code === 'promocode-used-up' || errors?.some(({ path }) => path === 'promocode')

/** Sends a payment form, and goes where its answer leads (spec §4, §8). */
export const usePayment = <V>(options: PaymentOptions<V>) => {
  const { goods, form, pay, onChanged, onReject, removePromocode, refusePlace, leadTo, onReturn } = options
  const { applyTyped } = options
  const [notice, setNotice] = useState<PaymentNotice>()
  const queryClient = useQueryClient()
  const removal = usePromocodeRemoval({ removePromocode, setNotice, onChanged })
  const { isLeaving, leave } = useLeaveForResult(onReturn)

  const fail = (error: unknown, instead?: string) => {
    const isRefused = error instanceof ApiError && (error.status < 500 || error.problem.code !== undefined)
    if (!isRefused) {
      setNotice({ kind: 'lost', reference: referenceOf(error) })
      onChanged()
      return
    }
    const { status, problem, message } = error
    const { code, paymentId } = problem
    // Without a session the page itself sends to the login.
    if (status === 401) return
    if (code === 'method-not-open' || code === 'banks-unknown') return setNotice({ kind: 'closed', message })
    if (code === 'payment-under-way' && paymentId) {
      return setNotice({ kind: instead === paymentId ? 'at-work' : 'under-way', paymentId })
    }
    if (status === 409 && paymentId) return leave(paymentId)
    if (code === 'payments-paused') return setNotice({ kind: 'paused', message, until: problem.until })
    if (isAboutPromocode(problem)) return setNotice({ kind: 'promocode', message })
    if (status === 422 && [form.refuse(problem), refusePlace?.(problem)].some(Boolean)) return
    if (![409, 422, 429].includes(status)) return onReject()
    setNotice({ kind: 'refused', message })
    if (status === 429) return
    onChanged()
    // Cards may be taken by another form since the page was opened.
    void queryClient.invalidateQueries({ queryKey: paymentMethodsQuery.queryKey })
  }

  const arrive = (paymentId: string, instead?: string) => {
    if (!paymentId) return onReject()
    const isNew = leadTo?.(paymentId) ?? true
    // Who has come back from a payment chooses: to go on with it, or to leave it for what the form holds now.
    if (isNew || instead) leave(paymentId)
    else setNotice({ kind: 'under-way', paymentId })
  }

  const send = (instead?: string) =>
    form.submit(async (values) => {
      setNotice(undefined)
      // The sum on the button was shown without it.
      if (await applyTyped?.()) return
      await pay(values, instead).then(
        (paymentId) => arrive(paymentId, instead),
        (error) => fail(error, instead),
      )
    })

  return {
    goods,
    notice,
    onSubmit: send(),
    /** Pays with what the form holds, instead of the attempt that is under way. */
    startAgain: (paymentId: string) => void send(paymentId)(),
    ...removal,
    isBusy: form.isBusy || isLeaving,
  }
}

export type Payment = ReturnType<typeof usePayment>
