import { CardForm } from '@hedgerow/contract/payments'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { useCheckedForm } from '@hedgerow/web/form/use-checked-form.ts'
import { CardNumber } from '#features/checkout/card-number.tsx'
import { Expiry } from '#features/checkout/expiry.tsx'
import { MaskedField } from '#features/checkout/masked-field.tsx'

const resolver = checkedBy(CardForm)
const NAMES = ['pan', 'card_holder', 'month', 'year', 'cvv', 'acceptTerms'] as const

/** The mask shows three of the security code; a fourth is taken too (spec §5). */
const CVV_DIGITS = 4

/** What is typed stays in the form's own memory: no cache, no storage and no log ever holds a card's number or code. */
export const useCardForm = (holder: string) => {
  const card = useCheckedForm(resolver, NAMES, { card_holder: holder })
  const { getValues, setValue } = card.form
  /** Choosing is done at once, unlike typing: month and year are judged together as soon as both are there. */
  const judgeExpiry = () => {
    const [month, year] = getValues(['month', 'year'])
    if (month && year) setValue('year', year, { shouldTouch: true, shouldValidate: true })
  }
  return {
    ...card,
    expiry: {
      month: card.field('month', { onChange: judgeExpiry }),
      year: card.field('year', { onChange: judgeExpiry }),
    },
  }
}

export const CardFields = ({ form, field, expiry, errorOf }: ReturnType<typeof useCardForm>) => (
  <div className="grid grid-cols-[4fr_3fr] gap-x-4 gap-y-5">
    <CardNumber
      control={form.control}
      error={errorOf('pan')}
      isLeft={Boolean(form.formState.touchedFields.pan)}
    />
    <Field
      label="Name on the card"
      autoComplete="cc-name"
      spellCheck="false"
      className="col-span-2"
      {...field('card_holder')}
    />
    <Expiry {...expiry} />
    <MaskedField
      control={form.control}
      name="cvv"
      label="Security code"
      error={errorOf('cvv')}
      hint="3 digits, on the back."
      digits={CVV_DIGITS}
      placeholder="000"
      autoComplete="cc-csc"
    />
  </div>
)
