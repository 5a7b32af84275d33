import { isSignedBy } from '@hedgerow/gate/signature'
import { CODES } from '#payments/codes.ts'
import { GateError } from '#payments/gate-error.ts'
import type { SandboxSettings } from '#settings.ts'
import { checkFields, isObject } from '#v2/field-rules.ts'
import type { GateCall, General } from '#v2/gate-call.ts'

type Signed = { general: General & { signature: string } }

const LONGEST_PAYMENT_ID = 255

/** The gateway's order: who is asking, is it really them, and only then what they ask. */
export const checkRequest = (body: unknown, call: GateCall, settings: SandboxSettings): Signed => {
  if (!isObject(body)) throw new GateError(422, '2003')
  const general = isObject(body.general) ? body.general : {}
  if (general.project_id === undefined) throw new GateError(400, '2442')
  if (general.project_id !== settings.projectId) throw new GateError(404, '2442')
  if (!call.isWithoutPayment) checkPaymentId(general.payment_id)
  if (typeof general.signature !== 'string' || general.signature === '') throw new GateError(400, '3262')
  if (!isSignedBy(body, settings.secret)) throw new GateError(400, '3261')
  checkFields(body, call.fields)
  return body as Signed
}

const checkPaymentId = (id: unknown): void => {
  if (id === undefined || id === '') {
    const field = 'general.payment_id'
    throw new GateError(400, '2004', [
      { code: '2004', message: CODES['2004'], field, constraint: 'required' },
    ])
  }
  if (typeof id !== 'string' || id.length > LONGEST_PAYMENT_ID) throw new GateError(400, '3024')
}
