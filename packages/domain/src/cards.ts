/** First six and last four, the most that may be kept or shown (PCI DSS 3.4.1). */
export const maskPan = (pan: string): string =>
  `${pan.slice(0, 6)}${'*'.repeat(Math.max(0, pan.length - 10))}${pan.slice(-4)}`

/** Whether the last digit fits the others, as it does on every card (ISO/IEC 7812-1). */
export const passesLuhn = (digits: string): boolean => {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

type CardBrand = { name: string; numbers: RegExp }

/** By how their numbers begin. American Express, of 15 digits, is too short for the form. */
const BRANDS: readonly CardBrand[] = [
  { name: 'Visa', numbers: /^4/ },
  { name: 'Mastercard', numbers: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
  { name: 'American Express', numbers: /^3[47]/ },
  { name: 'Maestro', numbers: /^(?:50|5[6-9]|6[379])/ },
]

/** Whose card a number is, as far as its first digits tell. */
export const cardBrand = (digits: string): string | undefined =>
  BRANDS.find(({ numbers }) => numbers.test(digits))?.name

/** The gateway's published test cards that pay, and the sandbox's own: no bank issued them, and all who try a shop share them. */
const TEST_CARDS = new Set(
  `4000 0000 0000 0077, 4477 0000 0000 0006, 5252 0000 0000 0004, 4314 2200 0000 0056,
  4006 2600 0000 0014, 5413 3300 0000 0019, 5126 1600 0035 6675, 4010 5716 7622 3548,
  4000 0011 1100 0014, 4000 0011 1100 0022, 4000 0011 1100 0030, 4000 0011 1100 0048,
  4000 0011 1100 0055`
    .split(',')
    .map((written) => written.replaceAll(/\s/g, '')),
)

export const isTestCard = (pan: string): boolean => TEST_CARDS.has(pan)

export const PAN_LENGTH = { min: 16, max: 32 } as const
export const CARD_YEARS = 10

/** The years a card form offers: the current one and the next nine (spec §5). */
export const cardYears = (now: Date): number[] =>
  Array.from({ length: CARD_YEARS }, (_, i) => now.getUTCFullYear() + i)

/** 28 → 2028; four digits stay as they are. */
export const fullYear = (year: number): number => (year < 100 ? 2000 + year : year)

/** A card is good until the last day of its month, wherever on earth that day ends last. */
export const isCardExpired = (month: number, year: number, now: Date): boolean =>
  Date.UTC(fullYear(year), month, 1, 12) <= now.getTime()
