import * as v from './variables.ts'

/** Refuses the switch by which Node.js believes any certificate. It is only checked: there is nothing to be read. */
export const checkedCertificates = (isProduction: boolean): Record<never, never> => {
  const fault = 'must not be 0 in production: anybody in between could read and change what is sent'
  const isOn = v.text.check(v.must((value) => value !== '0', fault))
  return isProduction ? { certificates: v.optional('NODE_TLS_REJECT_UNAUTHORIZED', isOn) } : {}
}
