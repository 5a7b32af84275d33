import type { ActionMetadata, ClarificationMetadata, PaymentStatusReply } from '@hedgerow/contract/payments'
import type { PaymentStatus } from '@hedgerow/domain/payment-status'
import { readChallenge, readDeviceCheck, readRedirect } from '#features/payment-result/action-forms.ts'
import type { HiddenForm } from '#features/payment-result/hidden-form.ts'

export type ClarificationField = ClarificationMetadata['fields'][number]
export type DisplayItem = ActionMetadata['display'][number]

/**
 * Why a payment was not taken, and the page of ours where it can be tried again. Whether anything was charged is left out
 * where it was not said.
 */
export type Rejection = { reason?: string; again?: string; isCharged?: boolean }

export type NextAction =
  | { kind: 'wait' }
  /** The bank has promised the money, which may take days; `again` is where it can be paid otherwise. */
  | { kind: 'promised'; again?: string; isCrypto: boolean }
  | { kind: 'redirect'; form: HiddenForm; isCrypto?: boolean; isPart?: boolean }
  /** Submitted into a hidden frame, while the page goes on polling. */
  | { kind: 'device-check'; form: HiddenForm }
  | { kind: 'clarify'; fields: readonly ClarificationField[] }
  | { kind: 'approve'; display: readonly DisplayItem[] }
  | { kind: 'authorise'; stage: 'start' | 'finish' }
  | { kind: 'success' }
  | { kind: 'reject'; rejection: Rejection }

type Metadata = Record<string, unknown>

const WAIT: NextAction = { kind: 'wait' }

const readMetadata = (metadata: string): Metadata => {
  try {
    const parsed: unknown = JSON.parse(metadata)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Metadata) : {}
  } catch {
    return {}
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const items = (value: unknown): Metadata[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

const redirect = (form: HiddenForm | undefined): NextAction => (form ? { kind: 'redirect', form } : WAIT)

const challenge = (metadata: Metadata): NextAction => {
  const form = readDeviceCheck(metadata)
  return form ? { kind: 'device-check', form } : redirect(readChallenge(metadata))
}

const isClarificationField = (field: Metadata): field is ClarificationField =>
  isText(field.name) && isText(field.label) && (field.type === 'text' || field.type === 'consent')

const clarify = ({ fields }: Metadata): NextAction => {
  const known = items(fields).filter(isClarificationField)
  return known.length > 0 ? { kind: 'clarify', fields: known } : WAIT
}

const isDisplayItem = (item: Metadata): item is DisplayItem =>
  isText(item.type) && isText(item.title) && isText(item.data)

const approve = ({ display }: Metadata): NextAction => ({
  kind: 'approve',
  display: items(display).filter(isDisplayItem),
})

const authorise = ({ stage }: Metadata): NextAction => ({
  kind: 'authorise',
  stage: stage === 'finish' ? 'finish' : 'start',
})

/** A page of ours, or none. */
const readAgain = (again: unknown): { again?: string } =>
  isText(again) && /^\/[^/\\]/.test(again) ? { again } : {}

const reject = ({ reason, again, isCharged }: Metadata): NextAction => ({
  kind: 'reject',
  rejection: {
    ...(isText(reason) ? { reason } : {}),
    isCharged: isCharged === true,
    ...readAgain(again),
  },
})

const processing = ({ promised }: Metadata): NextAction => {
  const [promise] = items([promised])
  return promise
    ? { kind: 'promised', ...readAgain(promise.again), isCrypto: promise.isCrypto === true }
    : WAIT
}

const wait = () => WAIT

const ACTIONS: Record<PaymentStatus, (metadata: Metadata) => NextAction> = {
  Pending: wait,
  processing,
  'awaiting 3ds result': challenge,
  'awaiting redirect result': (metadata) => ({
    ...redirect(readRedirect(metadata)),
    ...(metadata.isCrypto === true ? { isCrypto: true } : {}),
    ...(metadata.isPart === true ? { isPart: true } : {}),
  }),
  'awaiting clarification': clarify,
  'awaiting customer action': approve,
  'awaiting merchant auth': authorise,
  Success: () => ({ kind: 'success' }),
  Decline: reject,
  Error: reject,
}

/** What the page does about a status (spec §4). One that a newer server has added is waited on. */
export const nextAction = ({ status, metadata }: PaymentStatusReply): NextAction =>
  (Object.hasOwn(ACTIONS, status) ? ACTIONS[status] : wait)(readMetadata(metadata))
