import type { Withdrawal, WithdrawRequest } from '@hedgerow/contract/partnership'
import { CURRENCY_NAMES, type CurrencyCode, formatMinor } from '@hedgerow/domain/money'
import { DETAILS_KEPT_DAYS } from '@hedgerow/domain/withdrawals'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { Segmented } from '@hedgerow/ui/segmented.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useSendOnce } from '@hedgerow/web/use-send-once.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { BankFields } from '#features/partnership/bank-fields.tsx'
import {
  type Available,
  type WithdrawFields,
  withdrawSchema,
} from '#features/partnership/withdraw-request.ts'
import { api } from '#lib/api.ts'

const FIELDS = {
  iban: ['amount', 'accountHolder', 'iban'],
  sort_code: ['amount', 'accountHolder', 'sortCode', 'accountNumber'],
} as const

const accountOf = (currency: CurrencyCode) => (currency === 'GBP' ? 'sort_code' : 'iban')

const startOf = (currency: CurrencyCode, available: Available): WithdrawFields => ({
  currency,
  account: accountOf(currency),
  amount: formatMinor(available[currency]),
  accountHolder: '',
  iban: '',
  sortCode: '',
  accountNumber: '',
})

type WithdrawFormProps = {
  available: Available
  /** Those of which enough is available. */
  currencies: readonly [CurrencyCode, ...CurrencyCode[]]
  onRequested: (withdrawal: Withdrawal) => void
  onCancel: () => void
}

const useWithdrawForm = ({ available, currencies, onRequested }: Omit<WithdrawFormProps, 'onCancel'>) => {
  const [start] = useState(() => startOf(currencies[0], available))
  const [{ currency, account }, setChoice] = useState<Pick<WithdrawFields, 'currency' | 'account'>>(start)
  const resolver = useMemo(() => checkedBy(withdrawSchema(available)), [available])
  const { form, send, ...shown } = useSentForm(resolver, FIELDS[account], start)
  const sendOnce = useSendOnce(async (body: WithdrawRequest & { id: string }) =>
    onRequested(await api.call('requestWithdrawal', { body })),
  )
  const choose = (next: Pick<WithdrawFields, 'currency' | 'account'>) => {
    setChoice(next)
    form.setValue('account', next.account, { shouldValidate: true })
    form.setValue('currency', next.currency, { shouldValidate: true })
  }
  const chooseCurrency = (next: CurrencyCode) => {
    choose({ currency: next, account: accountOf(next) })
    form.setValue('amount', formatMinor(available[next]), { shouldValidate: true })
  }
  const chooseAccount = (next: WithdrawFields['account']) => choose({ currency, account: next })
  return { ...shown, currency, account, chooseCurrency, chooseAccount, onSubmit: send(sendOnce) }
}

/** Requests a withdrawal. Whatever happens, what was typed stays, and the same request sent again is the same withdrawal. */
export const WithdrawForm = ({ onCancel, ...options }: WithdrawFormProps) => {
  const { currencies } = options
  const { field, problem, isValid, isBusy, currency, account, chooseCurrency, chooseAccount, onSubmit } =
    useWithdrawForm(options)
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that opened the form is gone.
  useEffect(() => heading.current?.focus(), [])

  return (
    <Card>
      <h3 ref={heading} tabIndex={-1} className="mb-5 w-fit text-lg">
        Withdraw
      </h3>
      <form
        method="post"
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        className="max-w-form space-y-5"
      >
        {problem && <FormNotice title="It was not requested">{problem}</FormNotice>}
        {currencies.length > 1 && (
          <Segmented
            label="Currency"
            value={currency}
            onChange={chooseCurrency}
            options={currencies.map((value) => ({ value, label: CURRENCY_NAMES[value] }))}
          />
        )}
        <Field
          label={`Amount in ${CURRENCY_NAMES[currency].toLowerCase()}`}
          hint="All that is available, unless you change it."
          inputMode="decimal"
          autoComplete="off"
          {...field('amount')}
        />
        <Field label="Account holder" autoComplete="name" {...field('accountHolder')} />
        {currency === 'GBP' && (
          <Segmented
            label="Your account"
            value={account}
            onChange={chooseAccount}
            options={[
              { value: 'sort_code', label: 'UK account' },
              { value: 'iban', label: 'IBAN account' },
            ]}
          />
        )}
        <BankFields account={account} field={field} />
        <p className="text-sm text-quiet-ink">
          We keep your bank details encrypted. {DETAILS_KEPT_DAYS} days after you are paid we delete all but
          the last four characters.
        </p>
        <div className="grid gap-3 sm:flex">
          <Button type="submit" disabled={!isValid} busy={isBusy}>
            Request the withdrawal
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            Not now
          </Button>
        </div>
      </form>
    </Card>
  )
}
