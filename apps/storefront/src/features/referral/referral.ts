const PARAM = 'ref'
const CODE = /^[a-z0-9]{1,32}$/i

let kept: string | undefined
const listeners = new Set<() => void>()

/** The partner's code in an address, if it can be one: anyone may write what they like there. */
export const referralIn = (search: string | URLSearchParams): string | undefined => {
  const code = new URLSearchParams(search).get(PARAM) ?? ''
  return CODE.test(code) ? code : undefined
}

/** The same address with the code in it. */
export const withReferral = (search: string, code: string): string => {
  const params = new URLSearchParams(search)
  params.set(PARAM, code)
  return `?${params}`
}

/** Remembers the code for as long as the page lives: no cookie, and nothing stored in the browser. */
export const keepReferral = (code: string | undefined) => {
  kept = code
  for (const listener of listeners) listener()
}

/** Calls back when a code is kept: the file that does it may come later than the form that needs it. */
export const onReferralKept = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A link that is followed before any script is there loads a document, which knows the address before it. */
const referralOfPageBefore = () => {
  const { referrer } = document
  const isOurs = referrer.startsWith(`${window.location.origin}/`)
  return isOurs ? referralIn(new URL(referrer).search) : undefined
}

export const keptReferral = () => kept ?? referralOfPageBefore()
