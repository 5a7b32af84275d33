/**
 * The Electronic Commerce Indicator as a gateway writes it, '5' or '05'; undefined for anything else.
 * Visa and American Express: 05 to 07; Mastercard: 00 to 07 (EMV 3-D Secure, the schemes' own guides).
 */
export const readEci = (text: string | undefined): string | undefined =>
  text !== undefined && /^0?[0-7]$/.test(text.trim()) ? text.trim().padStart(2, '0') : undefined

const MASTERCARD = new Map([
  ['00', 'not authenticated: liability for fraud stays with the shop'],
  ['01', 'authentication attempted: liability for fraud is with the issuer'],
  ['02', 'authenticated: liability for fraud is with the issuer'],
  ['04', 'data shared with the issuer only: liability for fraud stays with the shop'],
  ['06', 'exempt from authentication: liability for fraud stays with the shop'],
  ['07', 'a later payment of an authenticated one: liability for fraud is with the issuer'],
])
const OTHERS = new Map([
  ['05', 'authenticated: liability for fraud is with the issuer'],
  ['06', 'authentication attempted: liability for fraud is with the issuer'],
  ['07', 'not authenticated: liability for fraud stays with the shop'],
])

/** What a scheme says by an ECI on a card: `brand` as domain/cards names it. The code alone where it says nothing known. */
export const describeEci = (eci: string, brand: string | undefined): string => {
  const isMastercard = brand === 'Mastercard' || brand === 'Maestro'
  const meaning = brand === undefined ? undefined : (isMastercard ? MASTERCARD : OTHERS).get(eci)
  return meaning === undefined ? eci : `${eci} (${brand}: ${meaning})`
}
