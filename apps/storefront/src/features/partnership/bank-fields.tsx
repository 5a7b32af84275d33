import { Field } from '@hedgerow/ui/form/field.tsx'
import type { ComponentProps } from 'react'
import type { WithdrawFields } from '#features/partnership/withdraw-request.ts'

type BankFieldsProps = {
  account: WithdrawFields['account']
  field: (name: 'iban' | 'sortCode' | 'accountNumber') => Partial<ComponentProps<typeof Field>>
}

/** Where the money goes. */
export const BankFields = ({ account, field }: BankFieldsProps) =>
  account === 'iban' ? (
    <Field
      key="iban"
      label="IBAN"
      hint="Two letters, then digits and letters: GB33 BUKB 2020 1555 5555 55"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck="false"
      {...field('iban')}
    />
  ) : (
    <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
      <Field
        label="Sort code"
        hint="Like 20-00-00"
        inputMode="numeric"
        autoComplete="off"
        {...field('sortCode')}
      />
      <Field
        label="Account number"
        hint="8 digits"
        inputMode="numeric"
        autoComplete="off"
        {...field('accountNumber')}
      />
    </div>
  )
