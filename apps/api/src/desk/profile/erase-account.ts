import { randomUUID } from 'node:crypto'
import { formatDate } from '@hedgerow/domain/dates'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { deleteCustomer, insertFarewell, lockCustomer } from '#desk/profile/profile.queries.ts'
import { hasOpenDispute } from '#money/disputes/disputes.service.ts'
import { erasePayments, findLive } from '#money/payments/payments-of-customer.ts'
import { eraseConnections } from '#network/connections/connections.service.ts'
import { giveUpEarnings } from '#partners/earnings/earnings.service.ts'
import { eraseWithdrawals } from '#partners/withdrawals/withdrawals.service.ts'
import { asksSecondStep } from '#people/accounts/ask-again.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import { addressesLeft } from '#people/accounts/email-change.service.ts'
import { deleteQuestionsOf } from '#people/conversations/conversations.service.ts'
import { isPassword } from '#people/passwords/passwords.ts'
import { logEvent, recordEvent } from '#people/security-events/security-events.ts'
import { type Caller, requireProof } from '#people/sessions/recent-proof.ts'
import { deleteSessions, forgetSessions } from '#people/sessions/sessions.service.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'
import type { Settings } from '#platform/settings.ts'
import { lacksInvoice } from '#sales/invoices/invoices-of-customer.ts'
import { issueInvoicesOf } from '#sales/invoices/issue-invoices.ts'
import { keepBuyer } from '#sales/orders/erased-buyers.ts'
import { eraseOrders, hasNewOrders, lockOrders } from '#sales/orders/orders.service.ts'

type Deps = With<'db'> & { settings: Pick<Settings, 'brand' | 'ossNumber'> }

const promisedUntil = (until: Date): string =>
  `Your bank has promised us the money for a payment. It may take until ${formatDate(until)} to arrive. Please delete the account after that: until then we may have to tell you where the money goes.`

/**
 * Undefined, with nothing done, when an order has been paid whose invoice is not issued, or one was placed after the
 * others were locked. Returns the sessions that ended.
 */
const eraseInvoiced = ({ db }: Deps, customerId: string): Promise<Buffer[] | undefined> =>
  db.transaction().execute(async (trx) => {
    const locked = await lockOrders(trx, customerId)
    const email = await lockCustomer(trx, customerId)
    if (email === undefined) throw new Problem('not-signed-in')
    if (await hasNewOrders(trx, customerId, locked)) return undefined
    const live = await findLive(trx, customerId)
    if (live) throw new Problem('account-pays', live.until ? { detail: promisedUntil(live.until) } : {})
    // The answer to the bank needs what is kept of the purchase, and the money may still go either way.
    if (await hasOpenDispute(trx, customerId)) throw new Problem('account-disputes')
    if (await lacksInvoice(trx, customerId)) return undefined
    await keepBuyer(trx, customerId)
    // Before the connections: who makes a link holds the session, and then wants the connection.
    const ended = await deleteSessions(trx, customerId)
    await eraseConnections(trx, customerId)
    await eraseWithdrawals(trx, customerId)
    await giveUpEarnings(trx, customerId)
    await erasePayments(trx, customerId)
    await eraseOrders(trx, customerId)
    await deleteQuestionsOf(trx, customerId)
    // An intruder may have changed the address first: the owner of the old one learns of it, too.
    const told = [email, ...(await addressesLeft(trx, customerId)).filter((left) => left !== email)]
    await deleteCustomer(trx, customerId)
    for (const to of told) {
      const farewellId = randomUUID()
      await insertFarewell(trx, farewellId, to)
      await addJob(trx, 'mail-farewell', { farewellId })
    }
    return ended
  })

/**
 * Deletes an account with all that is only its own, and cuts what the books have to keep from the person. A slice that
 * holds something of a customer offers the step that erases it, and is named here.
 *
 * Orders are locked before the customer, as everyone locks them who moves a payment; with the customer locked, no new
 * ones come. So a payment either moves before the account is gone, or finds it gone.
 *
 * Invoices name who paid, so those that are due are issued before; under the year's lock, which the transaction here must
 * not wait for. A payment that ends in between begins it anew, and so does an order that is placed before the customer is
 * locked: to lock it now could be to wait for a transaction that waits for the customer.
 * Returns the sessions that ended. Throws 'account-pays' while a payment is under way, 'account-disputes' while a bank disputes one, 'account-withdraws'
 * while a withdrawal is under way, 'account-lacks-invoice' while an invoice cannot be issued, and 'not-signed-in' when there is no such account.
 */
export const eraseForGood = async (deps: Deps, customerId: string): Promise<Buffer[]> => {
  if (!(await findCustomer(deps.db, customerId))) throw new Problem('not-signed-in')
  let ended: Buffer[] | undefined
  while (!ended) {
    await issueInvoicesOf(deps, customerId)
    ended = await eraseInvoiced(deps, customerId)
  }
  return ended
}

/** The same on the word of its holder, who knows the address and the password. */
export const eraseAccount = async (
  deps: Deps & With<'log' | 'meters' | 'sessions'>,
  { customerId, sessionToken }: Caller,
  { email, password }: { email: string; password: string },
): Promise<void> => {
  const { db, sessions } = deps
  const customer = await findCustomer(db, customerId)
  if (!customer) throw new Problem('not-signed-in')
  if (asksSecondStep(customer)) await requireProof(deps, { sessionToken })
  if (customer.email !== email.toLowerCase()) throw invalidField('email', OUR_MESSAGES.emailOfAnother)
  if (!(await isPassword(password, customer.password_hash))) {
    await recordEvent(deps, customerId, 'ask-again-failed')
    throw invalidField('password', OUR_MESSAGES.passwordWrong)
  }
  forgetSessions({ sessions }, await eraseForGood(deps, customerId))
  logEvent(deps, customerId, 'account-erased')
}
