import type { ActionMetadata, ClarificationMetadata, PaymentStatusReply } from '@hedgerow/contract/payments'
import { readChallenge, readFrame, readRedirect } from '#features/payments/forms-to-send.ts'
import type { FormToSend } from '#features/payments/send-form.ts'

export type AskedField = ClarificationMetadata['fields'][number]
export type Shown = ActionMetadata['display'][number]

/** Why a payment was not taken, and the page of ours where it can be tried again. */
export type Rejection = { reason?: string; again?: string }

export type NextStep =
  | { kind: 'wait' }
  | { kind: 'send'; form: FormToSend }
  /** Sent into a frame that nobody sees, while the page goes on asking. */
  | { kind: 'frame'; form: FormToSend }
  | { kind: 'clarify'; fields: readonly AskedField[] }
  | { kind: 'act'; display: readonly Shown[] }
  | { kind: 'authorise'; stage: 'start' | 'finish' }
  | { kind: 'success' }
  | { kind: 'reject'; rejection: Rejection }

const WAIT: NextStep = { kind: 'wait' }

const readMetadata = (metadata: string): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(metadata)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const items = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

const send = (form: FormToSend | undefined): NextStep => (form ? { kind: 'send', form } : WAIT)

const challenge = (metadata: Record<string, unknown>): NextStep => {
  const frame = readFrame(metadata)
  return frame ? { kind: 'frame', form: frame } : send(readChallenge(metadata))
}

const isAsked = (field: Record<string, unknown>): field is AskedField =>
  isText(field.name) && isText(field.label) && (field.type === 'text' || field.type === 'consent')

const clarify = ({ fields }: Record<string, unknown>): NextStep => {
  const asked = items(fields).filter(isAsked)
  return asked.length > 0 ? { kind: 'clarify', fields: asked } : WAIT
}

const isShown = (shown: Record<string, unknown>): shown is Shown =>
  isText(shown.type) && isText(shown.title) && isText(shown.data)

const reject = ({ reason, again }: Record<string, unknown>): NextStep => ({
  kind: 'reject',
  rejection: {
    ...(isText(reason) ? { reason } : {}),
    // A page of ours, or none.
    ...(isText(again) && /^\/[^/\\]/.test(again) ? { again } : {}),
  },
})

/** What the page does about a status (spec §4). */
export const nextStep = ({ status, metadata: text }: PaymentStatusReply): NextStep => {
  const metadata = readMetadata(text)
  switch (status) {
    case 'awaiting 3ds result':
      return challenge(metadata)
    case 'awaiting redirect result':
      return send(readRedirect(metadata))
    case 'awaiting clarification':
      return clarify(metadata)
    case 'awaiting customer action':
      return { kind: 'act', display: items(metadata.display).filter(isShown) }
    case 'awaiting merchant auth':
      return { kind: 'authorise', stage: metadata.stage === 'finish' ? 'finish' : 'start' }
    case 'Success':
      return { kind: 'success' }
    case 'Decline':
    case 'Error':
      return reject(metadata)
    default:
      return WAIT
  }
}
