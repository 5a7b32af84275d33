import { ExpiryFields } from '#features/payments/expiry-fields.tsx'
import { MaskedField } from '#features/payments/masked-field.tsx'
import type { useCardForm } from '#features/payments/use-card-form.ts'
import { Field } from '#ui/field.tsx'

/** The mask groups sixteen digits in fours; of the security code it takes a fourth one too (spec §5). */
const PAN_MASK = '#### #### #### ####'
const CVV_MASK = '####'

export const CardFields = ({ form, field, errorOf }: ReturnType<typeof useCardForm>) => (
  <div className="grid grid-cols-2 gap-x-4 gap-y-5">
    <MaskedField
      control={form.control}
      name="pan"
      label="Card number"
      error={errorOf('pan')}
      mask={PAN_MASK}
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
    <ExpiryFields month={field('month')} year={field('year')} />
    <MaskedField
      control={form.control}
      name="cvv"
      label="Security code"
      error={errorOf('cvv')}
      hint="The last three digits on the back, or four on the front."
      mask={CVV_MASK}
      placeholder="000"
      autoComplete="cc-csc"
      className="col-span-2"
    />
  </div>
)
