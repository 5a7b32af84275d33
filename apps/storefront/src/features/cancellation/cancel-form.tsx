import { type Cancellation, CancelPaymentRequest } from '@hedgerow/contract/cancellations'
import { describeWayBack } from '@hedgerow/domain/cancellations'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { PasswordField } from '@hedgerow/ui/form/password-field.tsx'
import { UserName } from '@hedgerow/ui/form/user-name.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { useEffect, useRef } from 'react'
import { refundOf } from '#features/cancellation/describe-cancellation.ts'
import { useCancelPayment } from '#features/cancellation/use-cancel-payment.ts'
import { WhatEnds } from '#features/cancellation/what-ends.tsx'
import { useSession } from '#shared/session.tsx'

const resolver = checkedBy(CancelPaymentRequest)

const WhatComesBack = ({ cancellation }: { cancellation: Cancellation }) => {
  if (cancellation.refund === 0)
    return (
      <p>
        You can cancel, but there is nothing to refund. Everything you paid for has been used, or refunded
        already.
      </p>
    )
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-y-2 border-ink py-3">
        <span className="font-semibold">You get back</span>
        <span className="text-2xl font-semibold tabular-nums">{refundOf(cancellation)}</span>
      </p>
      <p className="text-sm text-quiet-ink">
        You pay for the time used so far, to the second. We refund the rest.{' '}
        <span>{describeWayBack(cancellation)}</span>
      </p>
    </div>
  )
}

type CancelFormProps = { paymentId: string; cancellation: Cancellation; onClose: () => void }

/** The sum and what ends, before the press that cancels; the password too where the log-in is not recent. */
export const CancelForm = ({ paymentId, cancellation, onClose }: CancelFormProps) => {
  const checked = useCheckedForm(resolver, ['password'])
  const { isValid, isBusy, field, submit, refuse } = checked
  const { cancel, problem } = useCancelPayment(paymentId, cancellation, refuse)
  const { profile } = useSession()
  const top = useRef<HTMLDivElement>(null)
  // It came after the dialog was opened: it is read out from here.
  useEffect(() => top.current?.focus(), [])

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(({ password }) => cancel(password))(event)}
      className="space-y-4 sm:space-y-5"
    >
      {problem && (
        <FormNotice key={problem.count} kind={problem.kind} title={problem.title}>
          {problem.text}
        </FormNotice>
      )}
      <div ref={top} tabIndex={-1} className="space-y-4 outline-none">
        <WhatComesBack cancellation={cancellation} />
        <WhatEnds connections={cancellation.connections} />
        <p className="text-sm text-quiet-ink">
          {`You can cancel until ${formatLocalTime(new Date(cancellation.until))}. You don’t have to say why.`}
        </p>
      </div>
      {cancellation.asksPassword && (
        <>
          <UserName value={profile?.email} />
          <PasswordField
            label="Password"
            hint="You logged in a while ago, so we ask for it again."
            autoComplete="current-password"
            {...field('password')}
          />
        </>
      )}
      <p>This withdraws you from the contract. It cannot be undone.</p>
      {profile && (
        <p className="text-sm wrap-anywhere text-quiet-ink">
          {`We will confirm it by email to ${profile.name}, ${profile.email}.`}
        </p>
      )}
      <div className="grid gap-1 sm:flex sm:flex-wrap sm:justify-end sm:gap-3">
        <Button variant="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button type="submit" disabled={!isValid} busy={isBusy}>
          {cancellation.refund === 0
            ? 'Cancel without a refund'
            : `Cancel and get ${refundOf(cancellation)} back`}
        </Button>
      </div>
    </form>
  )
}
