import type { AuthorisePaymentRequest, ClarifyPaymentRequest } from '@hedgerow/contract/payment-actions'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { ClarificationField, NextAction } from '@hedgerow/domain/next-action'
import type { Acceptance, GatewayDependencies } from '#money/gateway/gateway.ts'
import {
  AUTHORISATION_FINISHED,
  AUTHORISATION_STARTED,
  answerKey,
  textOf,
} from '#money/gateway/next-action.ts'
import { restartedChecks } from '#money/gateway/status-checks.ts'
import {
  findPayment,
  type PaymentWithOrder,
  updatePaymentIfUnchanged,
} from '#money/payments/payments.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'log'> & GatewayDependencies

type Asked<K extends NextAction['kind']> = PaymentWithOrder & {
  next_action: Extract<NextAction, { kind: K }>
}

/** The payment, if it waits for such an answer. Throws 'payment-not-found' or 'payment-asks-nothing'. */
const findAsking = async <K extends NextAction['kind']>(
  { db }: Pick<Deps, 'db'>,
  paymentId: string,
  status: PaymentWithOrder['status'],
  kind: K,
): Promise<Asked<K>> => {
  const row = await findPayment(db, paymentId)
  if (!row) throw new Problem('payment-not-found')
  if (row.status !== status || row.next_action.kind !== kind) throw new Problem('payment-asks-nothing')
  return row as Asked<K>
}

/**
 * Throws 'gateway-silent' where the customer can only try again, and 'answer-refused' where it was wrong. Where the
 * question is not open any more, another press has answered it.
 */
const expectAccepted = async (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  asked: PaymentWithOrder,
  answer: Acceptance,
): Promise<void> => {
  if (answer.kind === 'accepted') return
  if (answer.kind === 'unknown') throw new Problem('gateway-silent')
  const now = await findPayment(db, asked.id)
  const isOpen = now?.status === asked.status && textOf(now.next_action) === textOf(asked.next_action)
  if (!isOpen) return
  log.warn({ paymentId: asked.id, code: answer.code }, 'the gateway refused a customer’s answer')
  throw new Problem('answer-refused')
}

/** A field's path, and its message. */
type Said = readonly [path: string, value: string | boolean]

const saidIn = (field: ClarificationField, answer: string | true | undefined): Said[] => {
  const isGiven = field.type === 'consent' ? answer === true : typeof answer === 'string' && answer !== ''
  if (!isGiven) {
    if (field.isRequired) throw invalidField(field.name, OUR_MESSAGES.answerRequired)
    return []
  }
  return Object.entries(field.says ?? { [field.name]: answer as string })
}

/** 'avs_data.avs_post_code' → { avs_data: { avs_post_code } }, as the gateway wants it. */
const nested = (said: readonly Said[]): object => {
  const byObject = Map.groupBy(said, ([path]) => path.split('.', 1)[0] ?? '')
  // The names are the gateway's: entries become fields of the object itself, whatever they are called.
  return Object.fromEntries(
    [...byObject].map(([object, fields]) => [
      object,
      Object.fromEntries(fields.map(([path, value]) => [path.slice(object.length + 1), value])),
    ]),
  )
}

/**
 * Tells the gateway what it asks the customer. Nothing of it is kept: were it lost on the way, the gateway would go on
 * asking. Throws 'payment-not-found', 'payment-asks-nothing', 'invalid', 'gateway-silent' or 'answer-refused'.
 */
export const clarifyPayment = async (
  deps: Deps,
  paymentId: string,
  { answers }: ClarifyPaymentRequest,
): Promise<void> => {
  const row = await findAsking(deps, paymentId, 'awaiting clarification', 'clarification')
  const { fields } = row.next_action
  const given = new Map(Object.entries(answers))
  const said = fields.flatMap((field) => saidIn(field, given.get(field.name)))
  await expectAccepted(deps, row, await deps.gateways.gate.clarify(paymentId, nested(said)))
  const answered = answerKey(row.next_action)
  // Unless the gateway's next update has been faster.
  await updatePaymentIfUnchanged(deps.db, row, { ...restartedChecks(row), status: 'processing', answered })
}

/**
 * Has a code sent to the card holder, or confirms the payment with it.
 * Throws 'payment-not-found', 'payment-asks-nothing', 'invalid', 'gateway-silent' or 'answer-refused'.
 */
export const authorisePayment = async (
  deps: Deps,
  paymentId: string,
  { code }: AuthorisePaymentRequest,
): Promise<void> => {
  const row = await findAsking(deps, paymentId, 'awaiting merchant auth', 'authorisation')
  const { next_action: nextAction } = row
  const isStart = nextAction.stage === 'start'
  if (!isStart && code === undefined) throw invalidField('code', OUR_MESSAGES.confirmationCode)
  await expectAccepted(deps, row, await deps.gateways.gate.authorise(paymentId, isStart ? undefined : code))
  const next = { kind: 'authorisation', stage: 'finish' } satisfies NextAction
  const started = { answered: AUTHORISATION_STARTED, next_action: JSON.stringify(next) }
  const finished = {
    ...restartedChecks(row),
    status: 'processing',
    answered: AUTHORISATION_FINISHED,
  } as const
  await updatePaymentIfUnchanged(deps.db, row, isStart ? started : finished)
}
