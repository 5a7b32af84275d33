/** What becomes of a number: what VIES answers, or the code of the fault that it answers instead. */
export type ViesOutcome = 'valid' | 'invalid' | { fault: string; status: number }

const fault = (code: string, status = 500): ViesOutcome => ({ fault: code, status })

/** By the last three digits, as the numbers of VIES' own test service are. */
export const VIES_RULES: Readonly<Record<string, ViesOutcome>> = {
  '100': 'valid',
  '200': 'invalid',
  '201': fault('INVALID_INPUT', 400),
  '202': fault('INVALID_REQUESTER_INFO', 400),
  '300': fault('SERVICE_UNAVAILABLE'),
  '301': fault('MS_UNAVAILABLE'),
  '302': fault('TIMEOUT'),
  '400': fault('VAT_BLOCKED', 400),
  '401': fault('IP_BLOCKED', 400),
  '500': fault('GLOBAL_MAX_CONCURRENT_REQ'),
  '501': fault('GLOBAL_MAX_CONCURRENT_REQ_TIME'),
  '600': fault('MS_MAX_CONCURRENT_REQ'),
  '601': fault('MS_MAX_CONCURRENT_REQ_TIME'),
}

/** A number that ends so is answered after this long: later than anyone waits for whom it matters. */
export const SLOW = { ending: '999', ms: 20_000 }

const lastDigits = (vatNumber: string): string => vatNumber.replace(/\D/g, '').slice(-3)

/** Of a number without its prefix. One that no rule names is valid. */
export const outcomeOf = (vatNumber: string): ViesOutcome => VIES_RULES[lastDigits(vatNumber)] ?? 'valid'

export const isSlow = (vatNumber: string): boolean => lastDigits(vatNumber) === SLOW.ending

/** The test service knows these numbers alone. */
export const testOutcomeOf = (vatNumber: string): ViesOutcome =>
  VIES_RULES[vatNumber] ?? fault('INVALID_INPUT', 400)
