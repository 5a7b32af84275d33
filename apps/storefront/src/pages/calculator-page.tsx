import { PageHeader } from '@hedgerow/ui/page/page-header.tsx'
import { useEffect } from 'react'
import { choiceFrom, currencyFrom, isOrdering } from '#features/orders/choice-params.ts'
import { PriceCalculator } from '#features/orders/price-calculator.tsx'
import { isArrivingAt } from '#lib/going-to.ts'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useCurrency } from '#shared/currency.tsx'

const CalculatorPage = () => {
  const search = usePageSearch()
  const { currency: current, setCurrency } = useCurrency()
  const currency = currencyFrom(search)
  useEffect(() => {
    if (currency) setCurrency(currency)
  }, [currency, setCurrency])
  // An address alone orders nothing: a log-in in this page has to have led here.
  const isAskedFor =
    isOrdering(search) &&
    isArrivingAt(window.location.pathname + window.location.search) &&
    current === (currency ?? current)
  return (
    <>
      <PageHeader
        title="Price calculator"
        lead="Choose the days, the connections and the options you want."
      />
      {/* A new address is a new choice to start from. */}
      <PriceCalculator key={search.toString()} start={choiceFrom(search)} isAskedFor={isAskedFor} />
    </>
  )
}

export default CalculatorPage
