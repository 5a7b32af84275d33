import { CreateInvoiceRequest } from '@hedgerow/contract/invoices'
import { INVOICE_DEFAULTS } from '@hedgerow/domain/invoices'
import { Button } from '@hedgerow/ui/button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FormNotice } from '@hedgerow/ui/form/form-notice.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useSentForm } from '@hedgerow/web/form/use-sent-form.ts'
import { useEffect, useRef, useState } from 'react'
import { downloadPaymentRecord } from '#features/invoices/download-invoice.ts'

const resolver = checkedBy(CreateInvoiceRequest)
const NAMES = ['timestamp', 'description', 'authCode', 'method', 'pan', 'cardHolder', 'total'] as const
const EMPTY = { ...INVOICE_DEFAULTS, timestamp: '', authCode: '', pan: '', cardHolder: '', total: '' }

/** Seven texts that become a document. After the download the form begins anew; a failure keeps all that was typed. */
export const InvoiceForm = () => {
  const { form, field, send, problem, isValid, isBusy } = useSentForm(resolver, NAMES)
  const { reset, subscribe } = form
  const [isSaved, setSaved] = useState(false)
  const outcome = useRef<HTMLDivElement>(null)

  // The button that was pressed is disabled until the next one is filled in.
  useEffect(() => {
    if (isSaved) outcome.current?.focus()
  }, [isSaved])

  // What was done is said until the next document is begun.
  useEffect(() => {
    if (!isSaved) return
    return subscribe({
      formState: { dirtyFields: true },
      callback: ({ dirtyFields }) => {
        if (Object.keys(dirtyFields ?? {}).length > 0) setSaved(false)
      },
    })
  }, [isSaved, subscribe])

  const onSubmit = send(
    (values) => {
      setSaved(false)
      return downloadPaymentRecord(values)
    },
    () => {
      reset(EMPTY)
      setSaved(true)
    },
  )

  return (
    <form method="post" noValidate onSubmit={(event) => void onSubmit(event)} className="space-y-5">
      {problem && <FormNotice title="The document was not made">{problem}</FormNotice>}
      {isSaved && (
        <div ref={outcome} tabIndex={-1} className="rounded-field">
          <Notice kind="done" title="Your document was downloaded">
            It is called invoice.pdf. The form is ready for another one.
          </Notice>
        </div>
      )}
      <Field
        label="Date and time of the payment"
        hint="Such as 21/11/2026 14:05."
        autoComplete="off"
        {...field('timestamp')}
      />
      <Field
        label="Description"
        autoComplete="off"
        defaultValue={INVOICE_DEFAULTS.description}
        {...field('description')}
      />
      <Field
        label="Authorisation code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        {...field('authCode')}
      />
      <Field
        label="Payment method"
        autoComplete="off"
        defaultValue={INVOICE_DEFAULTS.method}
        {...field('method')}
      />
      <Field
        label="Card number (PAN)"
        hint="Only its first six and last four digits leave this page."
        autoComplete="off"
        inputMode="numeric"
        spellCheck="false"
        {...field('pan')}
      />
      <Field label="Card holder’s name" autoComplete="off" spellCheck="false" {...field('cardHolder')} />
      <Field label="Total" hint="With its currency, such as €45.17." autoComplete="off" {...field('total')} />
      <Button type="submit" disabled={!isValid} busy={isBusy} className="w-full">
        Download PDF
      </Button>
    </form>
  )
}
