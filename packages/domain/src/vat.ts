/** Prices include VAT at the United Kingdom's standard rate, in per cent. */
export const VAT_RATE = 20

export type VatSplit = { netMinor: number; vatMinor: number }

/** The VAT in a price that includes it, rounded half up to a whole minor unit; what is left is the net price. */
export const splitVat = (grossMinor: number, rate: number = VAT_RATE): VatSplit => {
  const vatMinor = Math.floor((2 * grossMinor * rate + 100 + rate) / (2 * (100 + rate)))
  return { netMinor: grossMinor - vatMinor, vatMinor }
}
