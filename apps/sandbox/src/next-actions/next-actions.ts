import { bank, bankApp, bankByPost, providerChallenge, qr } from '#next-actions/bank-actions.ts'
import { challenge, merchantAuth, method, nativeChallenge } from '#next-actions/card-actions.ts'
import { askBillingAddress, askConsent } from '#next-actions/clarifications.ts'
import type { NextActionRule } from '#next-actions/next-action-rule.ts'
import type { NextActionName } from '#payments/next-action.ts'

/** Everything a sale can wait for. A new way to pay is a plan made of these. */
export const NEXT_ACTIONS: Record<NextActionName, NextActionRule> = {
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

/** Those in which the card holder's bank asks: what the books count, and what may come twice. */
export const CHALLENGES: ReadonlySet<NextActionName> = new Set([
  'challenge',
  'native-challenge',
  'provider-challenge',
])
