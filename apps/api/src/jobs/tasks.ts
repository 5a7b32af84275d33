import { newRequestId } from '@hedgerow/contract/request-id'
import type { Job, JobHelpers, TaskList } from 'graphile-worker'
import { mailCheckFailing } from '#care/doctor/checks.mails.ts'
import { mailOperatorDigest } from '#care/overview/digest.mails.ts'
import { makePlanChange } from '#catalogue/plans/schedule-plans.ts'
import { mailFarewell } from '#desk/profile/profile.mails.ts'
import { orLater } from '#jobs/hold-mails.ts'
import { createFollowUp, recurringTasks } from '#jobs/recurring-jobs.ts'
import { mailCancellation } from '#money/cancellations/cancellations.mails.ts'
import { mailCancellationAsked, mailStatementReceived } from '#money/cancellations/statements.mails.ts'
import { mailCardTesting } from '#money/payments/attempts/card-testing.mails.ts'
import { sendChallengeResult, sendMethodDone } from '#money/payments/next-actions/challenge.ts'
import { mailDeclined } from '#money/payments/payments.mails.ts'
import { deliverWaiting } from '#money/payments/updates/apply-update.ts'
import { closePage } from '#money/payments/updates/close-page.ts'
import { mailOrderWaits } from '#money/payments/updates/order-waits.mails.ts'
import { dropClaim } from '#money/refunds/claims.ts'
import {
  mailRefund,
  mailRefundByHand,
  mailRefundClaim,
  mailRefundFailed,
  mailRefundTwice,
} from '#money/refunds/refunds.mails.ts'
import { sendRefund } from '#money/refunds/send-refund.ts'
import type { ShopDependencies } from '#money/shop-dependencies.ts'
import { mailConnectionConfig, mailNewKeys } from '#network/connections/connections.mails.ts'
import { mailMoved, mailNewFiles } from '#network/connections/moved.mails.ts'
import { mailKeysRenewed, mailKeysSoon, mailKeysUnused } from '#network/connections/renewed-keys.mails.ts'
import { mailShareLinks } from '#network/connections/share-links.mails.ts'
import { mailBrought } from '#network/imports/imports.mails.ts'
import { mailNodeBack, mailNodeDown, mailPoolLow } from '#network/nodes/nodes.mails.ts'
import {
  mailWithdrawalAtBank,
  mailWithdrawalEnded,
  mailWithdrawalRecalled,
  mailWithdrawalReceived,
  mailWithdrawalRequested,
} from '#partners/withdrawals/withdrawals.mails.ts'
import { refuseRequestedSince } from '#partners/withdrawals/withdrawals.service.ts'
import { mailConfirmation, mailPasswordChanged, mailReset } from '#people/accounts/accounts.mails.ts'
import {
  mailEmailBack,
  mailEmailChange,
  mailEmailChanged,
  mailEmailLeft,
  mailEmailLost,
} from '#people/accounts/email-change.mails.ts'
import {
  mailApplicationState,
  mailConversationReceived,
  mailQuestionReceived,
  mailReply,
} from '#people/conversations/customer.mails.ts'
import { mailConversation, mailNewMessage } from '#people/conversations/operator.mails.ts'
import { mailAccessChanged } from '#people/operators/access.mails.ts'
import { mailSecondPerson } from '#people/operators/second-person.mails.ts'
import { mailWayBack, mailWayBackEnded, mailWayBackSoon } from '#people/second-step/way-back.mails.ts'
import { mailSecurityChange } from '#people/security-events/security-events.mails.ts'
import { timed } from '#platform/instrumentation/meters.ts'
import { runAs } from '#platform/instrumentation/work-context.ts'
import {
  isRecurringJob,
  type JobName,
  type JobPayloads,
  networksIn,
  requestIdIn,
} from '#platform/queue/add-job.ts'
import { LANE_OF, type Lane } from '#platform/queue/lanes.ts'
import { makePriceChange } from '#platform/running-settings/price-changes.ts'
import { mailCorrection, mailReceipt } from '#sales/invoices/invoices.mails.ts'
import { mailReminder } from '#sales/renewals/renewals.mails.ts'

type Tasks = { [N in JobName]: (payload: JobPayloads[N], key: string) => Promise<void> }

/** A job is a line here, one with its payload in queue/add-job.ts, and one with its lane in queue/lanes.ts. */
const tasksOf = (deps: ShopDependencies): Tasks => ({
  ...recurringTasks(deps),
  'mail-confirmation': ({ customerId }, key) => mailConfirmation(deps, customerId, key),
  'mail-reset': ({ customerId }, key) => mailReset(deps, customerId, key),
  'mail-password-changed': (payload, key) => mailPasswordChanged(deps, payload, key),
  'mail-way-back': ({ customerId }, key) => mailWayBack(deps, customerId, key),
  'mail-way-back-soon': ({ customerId }, key) => mailWayBackSoon(deps, customerId, key),
  'mail-way-back-ended': ({ customerId }, key) => mailWayBackEnded(deps, customerId, key),
  'mail-security-change': ({ eventId }, key) => mailSecurityChange(deps, eventId, key),
  'mail-email-change': ({ changeId }, key) => mailEmailChange(deps, changeId, key),
  'mail-email-changed': ({ changeId }, key) => mailEmailChanged(deps, changeId, key),
  'mail-email-left': ({ changeId }, key) => mailEmailLeft(deps, changeId, key),
  'mail-email-back': (payload, key) => mailEmailBack(deps, payload, key),
  'mail-email-lost': ({ changeId }, key) => mailEmailLost(deps, changeId, key),
  'mail-farewell': ({ farewellId }, key) => mailFarewell(deps, farewellId, key),
  'mail-moved': ({ customerId }, key) => mailMoved(deps, customerId, key),
  'mail-new-files': (payload, key) => mailNewFiles(deps, payload, key),
  'mail-brought': ({ customerId }, key) => mailBrought(deps, customerId, key),
  'mail-connection': (payload, key) => mailConnectionConfig(deps, payload, key),
  'mail-new-keys': (about, key) => mailNewKeys(deps, about, key),
  'mail-share-links': ({ customerId }, key) => mailShareLinks(deps, customerId, key),
  'mail-keys-soon': (payload, key) => mailKeysSoon(deps, payload, key),
  'mail-keys-renewed': (payload, key) => mailKeysRenewed(deps, payload, key),
  'mail-keys-unused': (payload, key) => mailKeysUnused(deps, payload, key),
  'mail-reminder': (payload, key) => mailReminder(deps, payload, key),
  'mail-conversation': ({ conversationId }) => mailConversation(deps, conversationId),
  'mail-conversation-received': ({ conversationId }) => mailConversationReceived(deps, conversationId),
  'mail-question-received': ({ conversationId }) => mailQuestionReceived(deps, conversationId),
  'mail-question': (payload) => mailNewMessage(deps, payload),
  'mail-question-reply': (payload) => mailReply(deps, payload),
  'mail-new-message': (payload) => mailNewMessage(deps, payload),
  'mail-reply': (payload) => mailReply(deps, payload),
  'mail-application-state': (payload) => mailApplicationState(deps, payload),
  'mail-declined': ({ paymentId }, key) => mailDeclined(deps, paymentId, key),
  'mail-correction': ({ correctionId }, key) => mailCorrection(deps, correctionId, key),
  'mail-receipt': ({ orderId }, key) => mailReceipt(deps, orderId, key),
  'mail-refund': ({ refundId }, key) => mailRefund(deps, refundId, key),
  'mail-refund-claim': ({ refundId }, key) => mailRefundClaim(deps, refundId, key),
  'mail-refund-failed': ({ refundId }, key) => mailRefundFailed(deps, refundId, key),
  'mail-refund-twice': ({ refundId }, key) => mailRefundTwice(deps, refundId, key),
  'mail-refund-by-hand': ({ refundId }, key) => mailRefundByHand(deps, refundId, key),
  'mail-cancellation': ({ paymentId }, key) => mailCancellation(deps, paymentId, key),
  'mail-statement-received': ({ statementId }) => mailStatementReceived(deps, statementId),
  'mail-cancellation-asked': ({ statementId }) => mailCancellationAsked(deps, statementId),
  'mail-order-waits': ({ paymentId }, key) => mailOrderWaits(deps, paymentId, key),
  'mail-second-person': ({ secondPersonId }, key) => mailSecondPerson(deps, secondPersonId, key),
  'mail-card-testing': (_, key) => mailCardTesting(deps, key),
  'refuse-withdrawals': (payload) => refuseRequestedSince(deps, payload),
  'mail-withdrawal-requested': ({ withdrawalId }, key) => mailWithdrawalRequested(deps, withdrawalId, key),
  'mail-withdrawal-received': ({ withdrawalId }, key) => mailWithdrawalReceived(deps, withdrawalId, key),
  'mail-withdrawal-ended': ({ withdrawalId }, key) => mailWithdrawalEnded(deps, withdrawalId, key),
  'mail-withdrawal-recalled': ({ withdrawalId }, key) => mailWithdrawalRecalled(deps, withdrawalId, key),
  'mail-withdrawal-at-bank': ({ withdrawalId }, key) => mailWithdrawalAtBank(deps, withdrawalId, key),
  'mail-access-changed': ({ actionId }, key) => mailAccessChanged(deps, actionId, key),
  'mail-node-down': ({ nodeId }, key) => mailNodeDown(deps, nodeId, key),
  'mail-node-back': ({ nodeId }, key) => mailNodeBack(deps, nodeId, key),
  'mail-pool-low': ({ nodeId }, key) => mailPoolLow(deps, nodeId, key),
  'mail-operator-digest': (_, key) => mailOperatorDigest(deps, key),
  'mail-check-failing': (_, key) => mailCheckFailing(deps, key),
  'send-challenge-result': (payload) => sendChallengeResult(deps, payload),
  'send-method-done': (payload) => sendMethodDone(deps, payload),
  'send-refund': ({ refundId }) => sendRefund(deps, refundId),
  'close-page': ({ paymentId }) => closePage(deps, paymentId),
  'drop-claim': ({ refundId }) => dropClaim(deps, refundId),
  'deliver-payment': ({ paymentId }) => deliverWaiting(deps, paymentId),
  'change-plan': ({ changeId }) => makePlanChange(deps, changeId),
  'change-prices': ({ changeId }) => makePriceChange(deps, changeId),
})

const requestIds = new WeakMap<Job, string>()

/** In whose name a job that was begun runs. */
export const requestIdOf = (job: Job): string | undefined => requestIds.get(job)

/** In the name of the call that led to it; what no call led to has an id of its own. */
const contextOf = (name: string, { job }: JobHelpers) => {
  const requestId = (isRecurringJob(name) ? undefined : requestIdIn(job.flags)) ?? newRequestId()
  requestIds.set(job, requestId)
  const networks = networksIn(job.flags)
  return { requestId, job: name, ...(networks ? { networks: () => networks } : {}) }
}

/** The jobs of some lanes by their names, as the queue calls them. */
export const createTaskList = (deps: ShopDependencies, lanes: readonly Lane[]): TaskList => {
  const followUp = createFollowUp(deps)
  const tasks = Object.entries(tasksOf(deps)).filter(([name]) => lanes.includes(LANE_OF[name as JobName]))
  return Object.fromEntries(
    tasks.map(([name, task]) => [
      name,
      // The types of name and payload meet in tasksOf; here the queue has lost them.
      (payload: unknown, helpers: JobHelpers) =>
        runAs(contextOf(name, helpers), async () => {
          const { id, created_at } = helpers.job
          const run = task as (payload: unknown, key: string) => Promise<void>
          const ran = () =>
            timed(
              async () => {
                await orLater(deps, name as JobName, payload as never, helpers.job, () =>
                  run(payload, `job-${id}-${created_at.getTime()}`),
                )
                return true
              },
              (seconds, isDone) => deps.meters.ranJob(name, seconds, isDone === true),
            )
          await (isRecurringJob(name) ? followUp(name, ran) : ran())
        }),
    ]),
  )
}
