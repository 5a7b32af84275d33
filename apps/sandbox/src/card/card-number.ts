/** The check digit of ISO/IEC 7812: catches a mistyped digit. */
export const passesLuhn = (pan: string): boolean => {
  let sum = 0
  for (let i = 0; i < pan.length; i++) {
    const digit = Number(pan[pan.length - 1 - i])
    const weighted = i % 2 === 1 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}

/** All that may be kept of a card number: the first six digits and the last four. */
export const maskPan = (pan: string): string =>
  `${pan.slice(0, 6)}${'*'.repeat(Math.max(pan.length - 10, 0))}${pan.slice(-4)}`

/** Takes a card number out of another field, such as the holder's, with all digits about it: they may be its code. */
export const maskNumbersIn = (text: string): string =>
  text.replace(/\d(?:[ .'-]?\d){12,}/g, (found) => found.replace(/\d/g, '*'))

export const groupDigits = (pan: string): string => pan.match(/.{1,4}/g)?.join(' ') ?? ''

export const brandOf = (pan: string): string => {
  if (pan.startsWith('4')) return 'visa'
  if (/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(pan)) return 'mastercard'
  if (/^3[47]/.test(pan)) return 'amex'
  return /^(?:5[06-9]|6)/.test(pan) ? 'maestro' : 'card'
}
