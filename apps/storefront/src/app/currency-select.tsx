import { CURRENCIES, CURRENCY_CODES, CURRENCY_NAMES, type CurrencyCode } from '@hedgerow/domain/money'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { useCurrency } from '#shared/currency.tsx'

/**
 * The selector of the header; the one of the calculator follows it, and the other way round. On a phone it has room for
 * the symbol only, with which the words begin.
 */
export const CurrencySelect = () => {
  const { currency, setCurrency, charged } = useCurrency()
  return (
    <div className="relative shrink-0">
      <select
        aria-label="Currency"
        value={charged ?? currency}
        // What is paid for at a checkout has its currency already.
        disabled={charged !== undefined}
        title={charged && `You pay in ${CURRENCY_NAMES[charged].toLowerCase()} here`}
        onChange={(event) => setCurrency(event.target.value as CurrencyCode)}
        className="min-h-11 appearance-none overflow-hidden rounded-field border border-transparent bg-transparent pr-6 pl-2 font-medium xs:max-sm:w-11 sm:pr-7 sm:pl-2 text-quiet-ink hover:border-outline hover:text-ink disabled:border-transparent disabled:text-quiet-ink"
      >
        {CURRENCY_CODES.map((code) => (
          <option key={code} value={code} className="bg-surface text-ink">
            {CURRENCIES[code].symbol} {code}
          </option>
        ))}
      </select>
      {charged === undefined && (
        <ChevronDown className="pointer-events-none absolute top-1/2 right-1 size-4 -translate-y-1/2 text-quiet-ink" />
      )}
    </div>
  )
}
