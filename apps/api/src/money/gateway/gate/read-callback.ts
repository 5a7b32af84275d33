import { isSignedBy } from '@hedgerow/gate/signature'
import { isOfToken, readPaymentUpdate } from '#money/gateway/gate/read-update.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'
import type { Gate } from '#platform/settings.ts'

export type Callback =
  | { kind: 'update'; update: PaymentUpdate }
  /** It is the gateway's, and about nothing that the shop keeps. */
  | { kind: 'nothing' }
  | { kind: 'refused' }

export const readCallback = (
  { secret, projectId }: Pick<Gate, 'secret' | 'projectId'>,
  body: Record<string, unknown>,
): Callback => {
  // The signature first: an unsigned body is not read any further.
  if (!isSignedBy(body, secret)) return { kind: 'refused' }
  if (isOfToken(body, projectId)) return { kind: 'nothing' }
  const update = readPaymentUpdate(body)
  return update?.projectId === projectId ? { kind: 'update', update } : { kind: 'refused' }
}
