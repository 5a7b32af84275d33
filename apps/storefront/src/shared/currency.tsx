import { type CurrencyCode, FIRST_CURRENCY } from '@hedgerow/domain/money'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

type CurrencyChoice = { currency: CurrencyCode; setCurrency: (currency: CurrencyCode) => void }

const CurrencyContext = createContext<CurrencyChoice>({ currency: FIRST_CURRENCY, setCurrency: () => {} })

/** The current currency, shared by the header's selector and the calculator; remembered in memory only. */
export const useCurrency = () => useContext(CurrencyContext)

export const CurrencyProvider = ({ children }: { children: ReactNode }) => {
  const [currency, setCurrency] = useState<CurrencyCode>(FIRST_CURRENCY)
  const choice = useMemo(() => ({ currency, setCurrency }), [currency])
  return <CurrencyContext value={choice}>{children}</CurrencyContext>
}
