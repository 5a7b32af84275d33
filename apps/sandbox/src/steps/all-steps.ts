import { bank, bankApp, bankByPost, providerChallenge, qr } from '#steps/bank-steps.ts'
import { challenge, merchantAuth, method, nativeChallenge } from '#steps/card-steps.ts'
import { askBillingAddress, askConsent } from '#steps/clarification-steps.ts'
import type { Step, StepName } from '#steps/step.ts'

/** Everything a sale can wait for. A new way to pay is a plan made of these. */
export const STEPS: Record<StepName, Step> = {
  challenge,
  'provider-challenge': providerChallenge,
  method,
  'native-challenge': nativeChallenge,
  'billing-address': askBillingAddress,
  consent: askConsent,
  bank,
  'bank-by-post': bankByPost,
  'blik-code': bank,
  'bank-app': bankApp,
  qr,
  'merchant-auth': merchantAuth,
}

/** Steps in which the card holder's bank asks: what the books count, and what may come twice. */
export const CHALLENGES: ReadonlySet<StepName> = new Set([
  'challenge',
  'native-challenge',
  'provider-challenge',
])
