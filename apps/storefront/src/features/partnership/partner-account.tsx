import type { Partnership, Withdrawal } from '@hedgerow/contract/partnership'
import { CURRENCY_CODES, type CurrencyCode, formatMoney, toMinor } from '@hedgerow/domain/money'
import { MINIMUM_WITHDRAWAL } from '@hedgerow/domain/partnership'
import { MINIMUM_WITHDRAWAL_MINOR } from '@hedgerow/domain/withdrawals'
import { Button } from '@hedgerow/ui/button.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Balances } from '#features/partnership/balances.tsx'
import { Billing } from '#features/partnership/billing.tsx'
import { PARTNERSHIP_KEY } from '#features/partnership/partnership-queries.ts'
import { minimumOf } from '#features/partnership/payout-rules.tsx'
import type { Available } from '#features/partnership/withdraw-request.ts'
import { Withdrawals } from '#features/partnership/withdrawals.tsx'
import { formatAmount } from '#shared/format-amount.ts'

const WithdrawForm = lazy(() =>
  import('#features/partnership/withdraw-form.tsx').then((m) => ({ default: m.WithdrawForm })),
)

const availableOf = (balances: Partnership['balances']): Available => {
  const minor = (code: CurrencyCode) =>
    toMinor(balances.find(({ currency }) => currency === code)?.available ?? 0) ?? 0
  return Object.fromEntries(CURRENCY_CODES.map((code) => [code, minor(code)])) as Available
}

/** From how much on, and how much is missing to it in the currency that is nearest. */
const tooLittle = (available: Available): string => {
  const nearest = CURRENCY_CODES.reduce((best, code) => (available[code] >= available[best] ? code : best))
  const from = `You can request a withdrawal once ${minimumOf(MINIMUM_WITHDRAWAL)} is available.`
  const missing = formatMoney(MINIMUM_WITHDRAWAL_MINOR - available[nearest], nearest)
  return available[nearest] === 0 ? from : `${from} You need ${missing} more.`
}

const Requested = ({ withdrawal: { amount, currency, endsWith } }: { withdrawal: Withdrawal }) => (
  <FormNotice kind="done" title={`You have requested ${formatAmount(amount, currency)}`}>
    We will pay it by bank transfer to the account ending in {endsWith}, and email you when it is done.
  </FormNotice>
)

/** Requesting a withdrawal: the button, the form, and what was requested. */
const Withdraw = ({ balances }: Pick<Partnership, 'balances'>) => {
  const queryClient = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const [isLeft, setIsLeft] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const [requested, setRequested] = useState<Withdrawal>()
  const available = useMemo(() => availableOf(balances), [balances])
  const [first, ...others] = CURRENCY_CODES.filter((code) => available[code] >= MINIMUM_WITHDRAWAL_MINOR)

  const onRequested = (withdrawal: Withdrawal) => {
    setRequested(withdrawal)
    setIsOpen(false)
    void queryClient.invalidateQueries({ queryKey: PARTNERSHIP_KEY })
  }

  const open = () => {
    // An earlier request is in the list; said again above the form it would seem to be this one.
    setRequested(undefined)
    setIsLeft(false)
    setIsOpen(true)
  }
  const leave = () => {
    setIsOpen(false)
    setIsLeft(true)
  }
  // A customer who leaves the form by the keyboard goes on from where they came.
  useEffect(() => {
    if (isLeft) opener.current?.focus()
  }, [isLeft])

  return (
    <div className="mt-6 space-y-5">
      {requested && <Requested withdrawal={requested} />}
      {isOpen && first ? (
        <Suspense fallback={<Skeleton label="Loading the form" lines={8} />}>
          <WithdrawForm
            available={available}
            currencies={[first, ...others]}
            onRequested={onRequested}
            onCancel={leave}
          />
        </Suspense>
      ) : first ? (
        <Button ref={opener} onClick={open}>
          Withdraw
        </Button>
      ) : (
        !requested && <p className="text-quiet-ink">{tooLittle(available)}</p>
      )}
    </div>
  )
}

/** What was earned, how to be paid, and what was paid. */
export const PartnerAccount = ({ balances, holdDays }: Pick<Partnership, 'balances' | 'holdDays'>) => {
  return (
    <>
      <Balances balances={balances} holdDays={holdDays} />
      <Withdraw balances={balances} />
      <Withdrawals />
      <Billing />
    </>
  )
}
