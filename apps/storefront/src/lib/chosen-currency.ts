const KEY = 'currency'

const listeners = new Set<() => void>()

/** For as long as the page lives, in a browser that stores nothing for us. */
let unstored: string | null = null

export const chosenCurrency = (): string | null => {
  try {
    return unstored ?? localStorage.getItem(KEY)
  } catch {
    return unstored
  }
}

export const chooseCurrency = (currency: string) => {
  unstored = null
  try {
    localStorage.setItem(KEY, currency)
  } catch {
    unstored = currency
  }
  for (const listener of listeners) listener()
}

/** Calls back for other tabs too. */
export const onCurrencyChosen = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
