import { PAN_LENGTH } from '@hedgerow/domain/cards'
import { ExpiryFields } from '#features/payments/expiry-fields.tsx'
import { MaskedField } from '#features/payments/masked-field.tsx'
import type { useCardForm } from '#features/payments/use-card-form.ts'
import { Field } from '#ui/form/field.tsx'

/** The mask shows three of the security code; a fourth is taken too (spec §5). */
const CVV_DIGITS = 4

export const CardFields = ({ form, field, expiry, errorOf }: ReturnType<typeof useCardForm>) => (
  <div className="grid grid-cols-2 gap-x-4 gap-y-5">
    <MaskedField
      control={form.control}
      name="pan"
      label="Card number"
      error={errorOf('pan')}
      digits={PAN_LENGTH.max}
      groupsOf={4}
      placeholder="0000 0000 0000 0000"
      autoComplete="cc-number"
      className="col-span-2"
    />
    <Field
      label="Name on the card"
      autoComplete="cc-name"
      spellCheck={false}
      className="col-span-2"
      {...field('card_holder')}
    />
    <ExpiryFields {...expiry} />
    <MaskedField
      control={form.control}
      name="cvv"
      label="Security code"
      error={errorOf('cvv')}
      hint="The last three digits on the back, or four on the front."
      digits={CVV_DIGITS}
      placeholder="000"
      autoComplete="cc-csc"
      className="col-span-2"
    />
  </div>
)
