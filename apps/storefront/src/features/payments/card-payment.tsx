import { ApiError } from '@hedgerow/contract/client'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { TermsCheckbox } from '#app/terms-checkbox.tsx'
import { browserFacts } from '#features/payments/browser-facts.ts'
import { CardFields } from '#features/payments/card-fields.tsx'
import type { CardOfForm } from '#features/payments/pay-by-card.ts'
import { useCardForm } from '#features/payments/use-card-form.ts'
import { useLeaveForResult } from '#features/payments/use-leave-for-result.ts'
import { Button } from '#ui/button.tsx'
import { FormNotice } from '#ui/form-notice.tsx'

type CardPaymentProps = {
  /** Pays with the card; answers the payment's id. */
  pay: (card: CardOfForm) => Promise<string>
  /** The total as the summary shows it. */
  sum: string
  /** What is paid for may not be as it was shown: ask again. */
  onChanged: () => void
  onReject: () => void
}

type Trouble = { title: string }

const LOST: Trouble = { title: 'We do not know whether the payment started' }

export const CardPayment = ({ pay, sum, onChanged, onReject }: CardPaymentProps) => {
  const card = useCardForm()
  const { field, submit, refuse, isValid, isBusy } = card
  const [trouble, setTrouble] = useState<Trouble>()
  const { reset } = card.form
  const onReturn = useCallback(() => {
    reset({ pan: '', card_holder: '', month: '', year: '', cvv: '' })
    onChanged()
  }, [reset, onChanged])
  const { isLeaving, leave } = useLeaveForResult(onReturn)

  const fail = (error: unknown) => {
    if (!(error instanceof ApiError)) {
      setTrouble(LOST)
      onChanged()
      return
    }
    const { status, problem, message } = error
    // Without a session the page itself sends to the login.
    if (status === 401) return
    if (status === 409 && problem.paymentId) return leave(problem.paymentId)
    if (status === 422 && refuse(problem)) return
    if (![409, 422, 429].includes(status)) return onReject()
    setTrouble({ title: message })
    if (status !== 429) onChanged()
  }

  const onSubmit = submit(async (values) => {
    setTrouble(undefined)
    await pay({ ...values, browser: browserFacts() }).then(
      (paymentId) => (paymentId ? leave(paymentId) : onReject()),
      fail,
    )
  })

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {trouble && (
        <FormNotice title={trouble.title}>
          {trouble === LOST && (
            <>
              The connection broke. Check your{' '}
              <Link to="/profile" className="link">
                profile
              </Link>{' '}
              before you pay again.
            </>
          )}
        </FormNotice>
      )}
      <CardFields {...card} />
      <TermsCheckbox {...field('acceptTerms')} />
      <p className="text-sm text-quiet-ink">
        Prices include VAT. By paying you ask us to supply at once; if you write to us within 14 days, you get
        the unused part back.
      </p>
      <Button type="submit" disabled={!isValid} busy={isBusy || isLeaving} className="w-full text-lg">
        Pay {sum}
      </Button>
    </form>
  )
}
