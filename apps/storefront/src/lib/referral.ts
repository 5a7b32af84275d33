const PARAM = 'ref'
const CODE = /^[a-z0-9]{1,32}$/i

let kept: string | undefined

/** The partner's code in an address, if it can be one: anybody may write what they like there. */
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
}

export const keptReferral = () => kept
