import { addressLines, type VatNumber } from '@hedgerow/domain/vat-numbers'
import { postJson, whyNot } from '@hedgerow/io/post-json'
import type { Settings } from '#platform/settings.ts'

/**
 * What the European Commission's register says of a number. `consultation` is its proof that it was asked; `name` and
 * `address` are its holder's, as far as the country discloses them.
 */
export type ViesAnswer =
  | { kind: 'valid'; consultation: string | undefined; name?: string; address?: string }
  | { kind: 'invalid' }
  /** It, or the register of that country, could not be asked. That says nothing of the number. */
  | { kind: 'unanswered' }
  /** VIES is not asked. */
  | { kind: 'unchecked' }

export type Vies = { ask: (number: VatNumber) => Promise<ViesAnswer> }

/** A customer waits for it. VIES itself may take a quarter of a minute; what it has not said by then counts as no answer. */
const TIMEOUT_MS = 4_000
const MOST_BYTES = 64 * 1_024

/** Who asks is written in an answer only where VIES knows them. */
const REQUESTER_REFUSED = 'INVALID_REQUESTER_INFO'
const NUMBER_REFUSED = 'INVALID_INPUT'

type Body = {
  valid?: unknown
  requestIdentifier?: unknown
  name?: unknown
  address?: unknown
  userError?: unknown
  errorWrappers?: unknown
}

const bodyOf = (text: string): Body => {
  const body: unknown = JSON.parse(text)
  return typeof body === 'object' && body !== null ? body : {}
}

const isCode = (value: unknown): value is string => typeof value === 'string' && /^\w{1,64}$/.test(value)

/** A fault comes with any status, and some of them beside `valid: false`, which then means nothing. */
const faultIn = ({ userError, errorWrappers }: Body): string | undefined => {
  const wrapped = Array.isArray(errorWrappers) ? errorWrappers[0]?.error : undefined
  const code = wrapped ?? userError
  return isCode(code) && code !== 'VALID' && code !== 'INVALID' ? code : undefined
}

const consultationIn = ({ requestIdentifier }: Body): string | undefined =>
  typeof requestIdentifier === 'string' && /^[\w-]{1,64}$/.test(requestIdentifier)
    ? requestIdentifier
    : undefined

/** More than any register's line has. */
const MOST_OF_HOLDER = 500

/** Dashes stand for what a country does not disclose. */
const holderIn = ({ name, address }: Body): { name?: string; address?: string } => {
  const textOf = (value: unknown) =>
    typeof value === 'string' && /[\p{L}\p{N}]/u.test(value)
      ? addressLines(value).join('\n').slice(0, MOST_OF_HOLDER)
      : undefined
  const [named, lives] = [textOf(name), textOf(address)]
  return { ...(named ? { name: named } : {}), ...(lives ? { address: lives } : {}) }
}

type ReadAnswer = { answer: ViesAnswer; fault?: string }

const readAnswer = (body: Body): ReadAnswer => {
  const fault = faultIn(body)
  if (fault === NUMBER_REFUSED) return { answer: { kind: 'invalid' } }
  if (fault) return { answer: { kind: 'unanswered' }, fault }
  if (body.valid === true)
    return { answer: { kind: 'valid', consultation: consultationIn(body), ...holderIn(body) } }
  return body.valid === false
    ? { answer: { kind: 'invalid' } }
    : { answer: { kind: 'unanswered' }, fault: 'NO_ANSWER' }
}

/** Our own number in the One Stop Shop, which has VIES give its answers a number. */
const requesterOf = (ossNumber: string | undefined) =>
  ossNumber
    ? { requesterMemberStateCode: ossNumber.slice(0, 2), requesterNumber: ossNumber.slice(2) }
    : undefined

type Asking = Pick<Settings, 'viesUrl' | 'ossNumber'>

/**
 * Asks VIES by its REST protocol whether there is such a VAT number. Never throws. `onFault` hears why there was no answer, and
 * that it did not want our own number: then it is asked without.
 */
export const createVies = ({ viesUrl, ossNumber }: Asking, onFault: (why: string) => void): Vies => {
  const call = async ({ prefix, rest }: VatNumber, requester: object | undefined, signal: AbortSignal) => {
    const question = JSON.stringify({ countryCode: prefix, vatNumber: rest, ...requester })
    const { text } = await postJson(`${viesUrl}/rest-api/check-vat-number`, question, {
      headers: { accept: 'application/json' },
      signal,
      mostBytes: MOST_BYTES,
    })
    return readAnswer(bodyOf(text))
  }
  return {
    ask: async (number) => {
      if (!viesUrl) return { kind: 'unchecked' }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const requester = requesterOf(ossNumber)
      try {
        let { answer, fault } = await call(number, requester, signal)
        if (fault) onFault(fault)
        if (fault === REQUESTER_REFUSED && requester) {
          ;({ answer, fault } = await call(number, undefined, signal))
          if (fault) onFault(fault)
        }
        return answer
      } catch (error) {
        onFault(whyNot(error))
        return { kind: 'unanswered' }
      }
    },
  }
}
