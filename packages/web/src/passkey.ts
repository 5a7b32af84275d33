import type { PasskeyAnswer, PasskeyQuestion } from '@hedgerow/contract/passkeys'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { messageOf } from '#web/message-of.ts'

/** Why the browser gave no passkey, in words to show. */
export class PasskeyProblem extends Error {
  override name = 'PasskeyProblem'
  /** By `stopPasskey`, or by another question: the answer is not awaited any more. */
  readonly wasStopped: boolean
  constructor(message: string, wasStopped = false) {
    super(message)
    this.wasStopped = wasStopped
  }
}

const NO_BROWSER = 'This browser cannot use passkeys. Use a newer one, or another way.'
const NO_TLS = 'Passkeys only work over https. Open the shop at its https address.'
const BY_NUMBER =
  'Passkeys do not work at an address made of numbers, such as 127.0.0.1. Open the shop by its name, such as localhost.'
const elsewhere = (host: string) => `Passkeys only work at ${host}. Open the shop there.`
const STOPPED = 'You stopped before the passkey was used.'
const BROKEN = 'The device did not complete this. Try again, or use another device.'

/** Browsers say the same of all of these, so that no site learns what there is. */
const NOT_ANSWERED =
  'No passkey was used. You cancelled, it took too long, or there is none for this shop on this device. Try again, or use another way.'
const NOT_MADE =
  'No passkey was added. You cancelled, it took too long, or this device has no screen lock or PIN. Try again, or use another device.'

const NEEDS_LOCK =
  'This device cannot keep a passkey. It needs a screen lock, a fingerprint or a PIN. Set one up, or use another device.'

type Words = Readonly<Record<string, string>>

/** By the names that WebAuthn gives them. */
const WHILE_ASKED: Words = { NotAllowedError: NOT_ANSWERED }
const WHILE_MADE: Words = {
  NotAllowedError: NOT_MADE,
  InvalidStateError:
    'This device already has a passkey for your account. Use that, or add one on another device.',
  ConstraintError: NEEDS_LOCK,
  NotSupportedError: 'We cannot check the passkeys of this device. Use another device.',
}

const isNumber = (host: string) => /^[\d.]+$|^\[/.test(host)

/** What can be known before the browser is asked. */
const obstacle = (host: string): string | undefined => {
  const here = window.location.hostname
  if (!window.isSecureContext) return NO_TLS
  if (typeof window.PublicKeyCredential !== 'function') return NO_BROWSER
  if (isNumber(here)) return BY_NUMBER
  return here === host || here.endsWith(`.${host}`) ? undefined : elsewhere(host)
}

let library: Promise<typeof import('@simplewebauthn/browser')> | undefined

/** Loaded when the first passkey is asked for. One that could not be loaded is tried again. */
const load = () => {
  library ??= import('@simplewebauthn/browser').catch((error: unknown) => {
    library = undefined
    throw error
  })
  return library
}

const problemOf = (error: unknown, words: Words): PasskeyProblem => {
  const name = error instanceof Error ? error.name : ''
  if (name === 'AbortError') return new PasskeyProblem(STOPPED, true)
  return new PasskeyProblem(words[name] ?? BROKEN)
}

const hostOf = (options: PasskeyQuestion['options']): string => {
  const { rpId, rp } = options as { rpId?: string; rp?: { id?: string } }
  return rpId ?? rp?.id ?? window.location.hostname
}

type Credential = PasskeyAnswer['credential']

const ask = async (
  { ticket, options }: PasskeyQuestion,
  words: Words,
  use: (browser: Awaited<ReturnType<typeof load>>) => Promise<unknown>,
): Promise<PasskeyAnswer> => {
  const known = obstacle(hostOf(options))
  if (known) throw new PasskeyProblem(known)
  const browser = await load()
  try {
    return { ticket, credential: (await use(browser)) as Credential }
  } catch (error) {
    throw problemOf(error, words)
  }
}

/** Has a passkey answer the server's question. Throws a PasskeyProblem, or what a lost connection throws. */
export const answerPasskey = (question: PasskeyQuestion): Promise<PasskeyAnswer> =>
  ask(question, WHILE_ASKED, ({ startAuthentication }) =>
    startAuthentication({
      optionsJSON: question.options as unknown as PublicKeyCredentialRequestOptionsJSON,
    }),
  )

/** Has the device make a passkey. Throws as `answerPasskey` does. */
export const makePasskey = (question: PasskeyQuestion): Promise<PasskeyAnswer> =>
  ask(question, WHILE_MADE, ({ startRegistration }) =>
    startRegistration({
      optionsJSON: question.options as unknown as PublicKeyCredentialCreationOptionsJSON,
    }),
  )

/** The browser's answer is not awaited any more: its question is taken back. */
export const stopPasskey = (): void => {
  void library?.then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony()).catch(() => {})
}

/** Tells the browser that a passkey opens nothing any more, so that it stops offering it. A browser may not listen. */
export const forgetPasskey = async (credentialId: string): Promise<void> => {
  try {
    const { sendSignal } = await load()
    const rpID = window.location.hostname
    await sendSignal({ signalName: 'unknownCredential', rpID, credentialID: credentialId })
  } catch {
    // Then it goes on offering it, and we refuse it.
  }
}

/** What the customer reads about a passkey that could not be used, or about the call that failed. */
export const passkeyMessageOf = (error: unknown): string =>
  error instanceof PasskeyProblem ? error.message : messageOf(error)
