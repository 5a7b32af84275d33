import { useEffect } from 'react'
import { choiceFrom, currencyFrom } from '#features/orders/choice-params.ts'
import { PriceCalculator } from '#features/orders/price-calculator.tsx'
import { usePageSearch } from '#lib/use-page-search.ts'
import { useCurrency } from '#shared/currency.tsx'
import { PageHeader } from '#ui/page/page-header.tsx'

const CalculatorPage = () => {
  const search = usePageSearch()
  const { setCurrency } = useCurrency()
  const currency = currencyFrom(search)
  useEffect(() => {
    if (currency) setCurrency(currency)
  }, [currency, setCurrency])
  return (
    <>
      <PageHeader
        title="Price calculator"
        lead="Choose the days, the connections and the options you want."
      />
      {/* A new address is a new choice to start from. */}
      <PriceCalculator key={search.toString()} start={choiceFrom(search)} />
    </>
  )
}

export default CalculatorPage
