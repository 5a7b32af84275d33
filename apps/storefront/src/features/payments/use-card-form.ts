import { CardForm } from '@hedgerow/contract/payments'
import { checkedBy } from '#lib/form/checked-by.ts'
import { useCheckedForm } from '#lib/form/use-checked-form.ts'

const resolver = checkedBy(CardForm)
const NAMES = ['pan', 'card_holder', 'month', 'year', 'cvv', 'acceptTerms'] as const

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
