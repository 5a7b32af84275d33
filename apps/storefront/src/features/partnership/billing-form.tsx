import { type PartnerBilling, PartnerBillingRequest } from '@hedgerow/contract/partnership'
import { selfBillingTerms } from '@hedgerow/domain/commissions'
import { formatLocalDay } from '@hedgerow/domain/dates'
import { COMPANY_ADDRESS_LENGTH, COMPANY_LENGTH, VAT_NUMBER_LENGTH } from '@hedgerow/domain/vat-numbers'
import { Button } from '@hedgerow/ui/button.tsx'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { TextArea } from '@hedgerow/ui/form/text-area.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useEffect, useRef, useState } from 'react'
import { api } from '#lib/api.ts'
import { brand } from '#shared/brand.ts'

const NAMES = ['company', 'companyAddress', 'vatNumber', 'agrees'] as const
const resolver = checkedBy(PartnerBillingRequest)

const startOf = ({ company, companyAddress, vatNumber, agreedUntil }: PartnerBilling) => ({
  company,
  companyAddress,
  vatNumber,
  agrees: agreedUntil !== undefined && new Date(agreedUntil) > new Date(),
})

const stateOf = ({ agreedUntil }: PartnerBilling): string | undefined => {
  if (agreedUntil === undefined) return undefined
  const until = new Date(agreedUntil)
  return until > new Date()
    ? `You agreed to self-billing until ${formatLocalDay(until)}.`
    : `Your agreement to self-billing ended on ${formatLocalDay(until)}. Until you renew it, your documents have no VAT.`
}

type BillingFormProps = {
  billing: PartnerBilling
  onSaved: (billing: PartnerBilling) => void
  onCancel: () => void
}

/** Whom a partner's documents are to. Whatever happens, what was typed stays. */
export const BillingForm = ({ billing, onSaved, onCancel }: BillingFormProps) => {
  const [start] = useState(() => startOf(billing))
  const { form, field, problem, isBusy, send } = useSentForm(resolver, NAMES, start)
  const { errors, isSubmitted } = form.formState
  /** After a press everything that is wrong is shown, also at fields that were not left. */
  const shown = (name: (typeof NAMES)[number]) =>
    isSubmitted ? { ...field(name), error: errors[name]?.message } : field(name)
  const hasNumber = form.watch('vatNumber').trim() !== ''
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that opened the form is gone.
  useEffect(() => heading.current?.focus(), [])
  const state = stateOf(billing)
  const onSubmit = send((body) => api.call('savePartnerBilling', { body }), onSaved)
  return (
    <Card>
      <h3 ref={heading} tabIndex={-1} className="mb-5 w-fit text-lg">
        Tax details
      </h3>
      <form
        method="post"
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        className="max-w-form space-y-5"
      >
        {problem && <FormNotice title="It was not saved">{problem}</FormNotice>}
        <Field
          label="Your name, or the name of your business"
          maxLength={COMPANY_LENGTH}
          autoComplete="organization"
          {...shown('company')}
        />
        <TextArea
          label="Address"
          most={COMPANY_ADDRESS_LENGTH}
          rows={3}
          autoComplete="street-address"
          defaultValue={start.companyAddress}
          {...shown('companyAddress')}
        />
        <Field
          label="VAT number"
          hint="With its country, like GB123456789. Leave it empty if you are not registered for VAT in the UK or the EU."
          maxLength={VAT_NUMBER_LENGTH}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck="false"
          {...shown('vatNumber')}
        />
        {hasNumber && (
          <div className="space-y-3">
            <p>Because you are registered for VAT, we need your agreement to self-billing:</p>
            <ul className="list-disc space-y-1 pl-5 text-quiet-ink">
              {selfBillingTerms(brand.company.legalName).map((term) => (
                <li key={term}>{term}</li>
              ))}
            </ul>
            {state && <p>{state}</p>}
            <Checkbox label="I agree to self-billing" {...shown('agrees')} />
          </div>
        )}
        <p className="text-sm text-quiet-ink">
          We print this on each document from now on. Documents you already have do not change.
        </p>
        <div className="grid gap-3 sm:flex">
          <Button type="submit" busy={isBusy}>
            Save
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            Not now
          </Button>
        </div>
      </form>
    </Card>
  )
}
