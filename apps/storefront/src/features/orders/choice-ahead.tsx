import { FIRST_CURRENCY, formatMoney } from '@hedgerow/domain/money'
import { FEATURES, totalMinor } from '@hedgerow/domain/pricing'
import { calculatorPath, choiceFrom, currencyFrom, renewFrom } from '#features/orders/choice-params.ts'
import { OrderAhead } from '#shared/order-ahead.tsx'
import { usePrices } from '#shared/prices-query.ts'

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

/** What was chosen in the calculator, as its address has it. */
export const ChoiceAhead = ({ params }: { params: URLSearchParams }) => {
  const choice = choiceFrom(params)
  const prices = usePrices()
  const currency = currencyFrom(params) ?? FIRST_CURRENCY
  const { days, connections, features } = choice
  const options = FEATURES.filter(({ key }) => features[key]).map(({ label }) => label)
  return (
    <OrderAhead
      what={[count(days, 'day', 'days'), count(connections, 'connection', 'connections'), ...options].join(
        ', ',
      )}
      total={formatMoney(totalMinor(choice, prices), currency)}
      changeAt={calculatorPath(choice, currency, renewFrom(params))}
    />
  )
}
