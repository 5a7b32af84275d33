import { CardForm } from '@hedgerow/contract/payments'
import { checkedBy } from '#lib/checked-by.ts'
import { useCheckedForm } from '#lib/use-checked-form.ts'

const resolver = checkedBy(CardForm)
const NAMES = ['pan', 'card_holder', 'month', 'year', 'cvv', 'acceptTerms'] as const

/** What is typed stays in the form's own memory: no cache, no storage and no log ever holds a card. */
export const useCardForm = () => useCheckedForm(resolver, NAMES)
