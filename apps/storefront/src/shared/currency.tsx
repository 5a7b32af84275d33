import { CURRENCY_CODES, type CurrencyCode, FIRST_CURRENCY } from '@hedgerow/domain/money'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { chooseCurrency, chosenCurrency, onCurrencyChosen } from '#lib/chosen-currency.ts'

type CurrencyChoice = {
  currency: CurrencyCode
  setCurrency: (currency: CurrencyCode) => void
  /** What the page that is shown is charged in, whatever was chosen. */
  charged: CurrencyCode | undefined
  setCharged: (currency: CurrencyCode | undefined) => void
}

const CurrencyContext = createContext<CurrencyChoice>({
  currency: FIRST_CURRENCY,
  setCurrency: () => {},
  charged: undefined,
  setCharged: () => {},
})

/** The current currency, shared by the header's selector and the calculator; the browser remembers it. */
export const useCurrency = () => useContext(CurrencyContext)

/** For a checkout: the header says in what is paid here, for as long as it is shown. */
export const useChargedIn = (currency: CurrencyCode | undefined) => {
  const { setCharged } = useCurrency()
  useEffect(() => {
    setCharged(currency)
    return () => setCharged(undefined)
  }, [currency, setCharged])
}

const knownCode = (code: string | null) => CURRENCY_CODES.find((known) => known === code) ?? FIRST_CURRENCY

export const CurrencyProvider = ({ children }: { children: ReactNode }) => {
  // A prerendered page is in the first one.
  const currency = knownCode(useSyncExternalStore(onCurrencyChosen, chosenCurrency, () => null))
  const [charged, setCharged] = useState<CurrencyCode>()
  const choice = useMemo(
    () => ({ currency, setCurrency: chooseCurrency, charged, setCharged }),
    [currency, charged],
  )
  return <CurrencyContext value={choice}>{children}</CurrencyContext>
}
