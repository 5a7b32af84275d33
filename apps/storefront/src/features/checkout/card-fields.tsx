import { CardForm } from '@hedgerow/contract/payments'
import { cardYears, PAN_LENGTH } from '@hedgerow/domain/cards'
import { MaskedField } from '#features/checkout/masked-field.tsx'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'

const resolver = checkedBy(CardForm)
const NAMES = ['pan', 'card_holder', 'month', 'year', 'cvv', 'acceptTerms'] as const

/** The mask shows three of the security code; a fourth is taken too (spec §5). */
const CVV_DIGITS = 4

/** Month and year are shown and sent with two digits each. */
const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
const MONTHS = Array.from({ length: 12 }, (_, index) => twoDigits(index + 1))

/** What is typed stays in the form's own memory: no cache, no storage and no log ever holds a card. */
export const useCardForm = () => {
  const card = useCheckedForm(resolver, NAMES)
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
    <Select label="Expiry month" autoComplete="cc-exp-month" {...expiry.month}>
      <option value="">MM</option>
      {MONTHS.map((text) => (
        <option key={text}>{text}</option>
      ))}
    </Select>
    <Select label="Expiry year" autoComplete="cc-exp-year" {...expiry.year}>
      <option value="">YY</option>
      {cardYears(new Date()).map((full) => (
        <option key={full}>{twoDigits(full)}</option>
      ))}
    </Select>
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
