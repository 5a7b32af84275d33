import type { ProblemCode, Problem as ProblemReply } from '@hedgerow/contract/endpoint'
import { MOST_PASSKEYS } from '@hedgerow/domain/passkeys'

// Not imported: that reads all that the module could give, `fetch` too, and made a third of a start of the operator's tool.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Every failure that we expect, with the words that the customer reads. */
const PROBLEMS = {
  'not-signed-in': { status: 401, detail: 'Please log in.' },
  'wrong-login': { status: 401, detail: 'The email or the password is wrong. Please try again.' },
  'not-confirmed': {
    status: 401,
    detail: 'Please confirm your email first: we have sent you a link. Look in your spam folder too.',
    code: 'not-confirmed',
  },
  'new-password-needed': {
    status: 401,
    detail:
      'We had to bring the shop back from a backup. Please choose a new password: we have sent you a link. Look in your spam folder too.',
  },
  'email-taken': {
    status: 406,
    detail: 'This email is already registered. Log in, or use another email.',
  },
  'confirm-link-invalid': {
    status: 400,
    detail: 'This link has already been used, or has expired. Request a new one.',
  },
  'email-link-invalid': {
    status: 400,
    detail: 'This link has already been used, or has expired. Your email stays as it is. Request a new link.',
  },
  'email-taken-since': {
    status: 409,
    detail:
      'Another account has this email. Yours stays as it was. Delete the other account or change its email, then open this link again.',
  },
  'undo-link-invalid': {
    status: 400,
    detail: 'This link has already been used, or has expired. Nothing was changed.',
  },
  'undo-email-taken': {
    status: 409,
    detail:
      'Another account has been opened with this email since. Nothing was changed. Log in to that account and delete it or change its email, then open this link again.',
  },
  'reset-link-invalid': { status: 400, detail: 'Your password reset link is invalid' },
  'country-refused': { status: 409, detail: 'We do not sell to the country that you are in.' },
  'wrong-csrf-token': { status: 403, detail: 'This page is out of date. Reload it and try again.' },
  'not-an-agent': {
    status: 401,
    detail: 'This node is not known here. It was removed, or has enrolled anew.',
  },
  'token-refused': {
    status: 401,
    detail: 'This enrolment token is not valid, or no longer. Ask for another: ops node token NAME',
  },
  'token-used': { status: 409, detail: 'This enrolment token was used by another server already.' },
  'key-not-brought': {
    status: 422,
    detail:
      'This node takes over another server. Give its agent that server’s private key first: docs/importing.md.',
  },
  'agent-known': {
    status: 409,
    detail:
      'This agent is another node’s already. Each server needs a state folder of its own, not a copy of another’s.',
  },
  'not-found': { status: 404, detail: 'There is nothing here.' },
  'order-not-found': { status: 404, detail: 'We could not find this order.' },
  'payment-not-found': { status: 404, detail: 'We could not find this payment.' },
  'session-not-found': { status: 404, detail: 'We could not find this session. It may have ended already.' },
  'passkey-not-found': { status: 404, detail: 'We could not find this passkey.' },
  'ask-again': {
    status: 403,
    detail:
      'Please confirm first that it is you. You are asked again before money, keys or access change hands.',
    code: 'ask-again',
  },
  'not-permitted': { status: 403, detail: 'Your role does not have this right. An owner can change that.' },
  'not-for-tokens': {
    status: 403,
    detail: 'This asks who is there, and a token cannot answer. Do it in the console.',
  },
  'sum-too-large': {
    status: 403,
    detail:
      'This is more than you may give back: at once, to one customer within 30 days, or within a day. Ask someone who may give back large sums.',
  },
  'second-person': {
    status: 403,
    detail:
      'This takes two people, so nothing was done yet. It waits under “Second person” for another operator to confirm it within 72 hours.',
    code: 'second-person',
  },
  'second-persons-full': {
    status: 409,
    detail: 'Too much of yours waits for a second person. Withdraw some of it, or have it confirmed, first.',
  },
  'second-person-not-found': {
    status: 404,
    detail: 'This does not wait for a second person. It may have been withdrawn.',
  },
  'second-person-over': {
    status: 409,
    detail:
      'This was withdrawn, has expired, or what it was about has changed. Nothing was done. Ask for it again.',
  },
  'second-person-changed': {
    status: 409,
    detail:
      'What this is about, or who asked for it, has changed meanwhile. Nothing was done. Ask for it again.',
  },
  'second-person-self': {
    status: 403,
    detail:
      'You asked for this, so someone else has to confirm it. You may only where nobody else could, and 24 hours have passed.',
  },
  'second-person-let-in': {
    status: 403,
    detail: 'One of you has let the other in within the last 7 days, alone. Someone else has to confirm it.',
  },
  'operator-not-signed-in': { status: 401, detail: 'Please log in to the console.' },
  'wrong-operator-login': {
    status: 401,
    detail: 'The name, the password or the code is wrong. Please try again.',
  },
  'operator-login-over': {
    status: 401,
    detail: 'That took too long, or there were too many attempts. Please log in again.',
  },
  'invitation-invalid': {
    status: 400,
    detail: 'This link has been used already, or has expired. Ask an owner for a new one.',
  },
  'operator-not-found': { status: 404, detail: 'We could not find this operator.' },
  'operator-name-taken': {
    status: 409,
    detail: 'Somebody has had this name before, and the record tells people by it. Choose another.',
  },
  'last-owner': {
    status: 409,
    detail: 'This is the only owner who can get in. Make somebody else an owner first.',
  },
  'last-way-in': {
    status: 409,
    detail: 'This is the only way in that is left. Add another passkey, or a password with an app, first.',
  },
  'sso-off': { status: 404, detail: 'Single sign-on is not set up here.' },
  'sso-unavailable': {
    status: 503,
    detail: 'Your organisation’s log-in cannot be reached. Try again, or log in with a passkey.',
  },
  'sso-over': { status: 401, detail: 'This log-in has ended or was used already. Please begin again.' },
  'sso-failed': {
    status: 401,
    detail: 'Your organisation’s log-in was not accepted. Please begin again.',
  },
  'sso-not-allowed': {
    status: 403,
    detail: 'Your organisation gives you no access to this console. Ask whoever manages its groups.',
  },
  'sso-name-taken': {
    status: 409,
    detail:
      'There is, or was, an operator of your name here. If it is you, log in and link single sign-on under My account.',
  },
  'sso-taken': { status: 409, detail: 'This account of your organisation belongs to another operator here.' },
  'sso-only': { status: 403, detail: 'Your role is given by your organisation. Use single sign-on.' },
  'token-not-found': { status: 404, detail: 'We could not find this token.' },
  'tokens-full': { status: 409, detail: 'You have as many tokens as one may have. End one first.' },
  'operator-refused': { status: 409, detail: 'This cannot be done as things stand. Nothing was changed.' },
  'customer-not-found': { status: 404, detail: 'We could not find this account. It may have been erased.' },
  'note-not-found': { status: 404, detail: 'We could not find this note, or it is another operator’s.' },
  'written-since': {
    status: 409,
    detail: 'Somebody has written since you read this. Read it first; what you wrote is still here.',
  },
  'assigned-since': {
    status: 409,
    detail: 'Somebody else has taken or handed on this conversation meanwhile.',
  },
  'canned-title-taken': { status: 409, detail: 'There is an answer of this title already.' },
  'canned-not-found': { status: 404, detail: 'We could not find this answer.' },
  'partner-not-found': { status: 404, detail: 'We could not find this partner.' },
  'withdrawal-not-found': { status: 404, detail: 'We could not find this withdrawal.' },
  'batch-not-found': { status: 404, detail: 'There is no file of this name.' },
  'document-not-found': { status: 404, detail: 'There is no document of this number.' },
  'booking-not-found': { status: 404, detail: 'We could not find this booking.' },
  'statement-not-found': { status: 404, detail: 'We could not find this statement.' },
  'layer-not-found': { status: 404, detail: 'We could not find this group of plans.' },
  'change-not-found': { status: 404, detail: 'This change is not to come any more.' },
  'promocode-not-found': { status: 404, detail: 'Nobody has this promocode.' },
  'node-not-found': { status: 404, detail: 'There is no node of this name.' },
  'job-not-found': { status: 404, detail: 'This job is not waiting any more. It may have been done.' },
  'webhook-not-found': { status: 404, detail: 'We could not find this webhook.' },
  'delivery-not-found': {
    status: 404,
    detail: 'We could not find this delivery. They are deleted after 30 days.',
  },
  'incident-not-found': { status: 404, detail: 'We could not find this incident.' },
  'dispute-not-found': { status: 404, detail: 'We could not find this dispute.' },
  'cursor-invalid': {
    status: 422,
    detail: 'This page of the list cannot be found. Begin at its first page.',
  },
  'wrong-second-step': { status: 401, detail: 'This code or passkey was not accepted. Please try again.' },
  'second-step-over': {
    status: 401,
    detail: 'That took too long, or there were too many attempts. Please log in again.',
    code: 'second-step-over',
  },
  'set-up-over': {
    status: 409,
    detail:
      'This set-up is over. It was finished already, took too long, or was begun in another browser. Please begin again.',
  },
  'nothing-to-answer': {
    status: 409,
    detail: 'Set up an authenticator app or add a passkey first: the second step asks for one of them.',
  },
  'no-second-step': { status: 409, detail: 'Your account has no second step, so it has no recovery codes.' },
  'way-back-link-invalid': {
    status: 400,
    detail: 'This link no longer works. The wait has been stopped already, or it is over.',
  },
  'wrong-passkey': {
    status: 401,
    detail: 'This passkey was not accepted. Try again, or log in with your password.',
  },
  'unknown-passkey': {
    status: 401,
    detail: 'This passkey no longer opens an account: it was removed. Log in with your password.',
    code: 'unknown-passkey',
  },
  'passkey-copied': {
    status: 403,
    detail:
      'This passkey was refused because it may have been copied. Use another way, then remove it in your profile under Security.',
  },
  'passkey-taken': {
    status: 409,
    detail: 'This passkey was added before. Each passkey opens one account.',
  },
  'passkeys-full': {
    status: 409,
    detail: `You have ${MOST_PASSKEYS} passkeys, and an account can have no more. Remove one first.`,
  },
  'question-over': { status: 409, detail: 'That took too long, or it was sent twice. Please try again.' },
  'connection-not-found': { status: 404, detail: 'We could not find this connection.' },
  'connection-unreadable': {
    status: 409,
    detail: 'The keys of this connection cannot be shown any more. Make new keys, or write to us.',
  },
  'own-key': {
    status: 409,
    detail:
      'Only you have this connection’s key, so we cannot show or send its file. To have a file from us, make new keys here.',
  },
  'key-taken': {
    status: 409,
    detail:
      'This public key is in use already, and each connection needs one of its own. Make another key on your device, and use its public key.',
  },
  'connection-expired': {
    status: 409,
    detail: 'This connection has expired. It cannot be emailed, changed or shared.',
  },
  'link-not-found': {
    status: 404,
    detail: 'This link has expired or was withdrawn. Ask the person who gave it to you for a new one.',
  },
  'location-not-found': { status: 404, detail: 'We could not find this location.' },
  'location-full': {
    status: 409,
    detail: 'There is no room at this location right now. Please choose another, or try again later.',
  },
  'location-lacks-filter': {
    status: 409,
    detail: 'This location does not have a filter that this connection has switched on.',
  },
  'location-current': { status: 409, detail: 'This connection is already at this location.' },
  'plan-not-found': { status: 404, detail: 'We could not find this plan.' },
  'plan-retired': {
    status: 409,
    detail: 'This plan is no longer sold. Please choose another. Nothing was charged.',
  },
  'plan-just-bought': {
    status: 409,
    detail: 'You bought this plan a moment ago. Your connections are in your profile.',
  },
  'purchase-id-taken': {
    status: 409,
    detail:
      'This page was already used to buy another plan. Please open the plan again. Nothing was charged.',
  },
  'order-paid': { status: 409, detail: 'This order is already paid. Your connections are in your profile.' },
  'order-not-paid': { status: 409, detail: 'This order is not paid, so it has no invoice yet.' },
  'invoice-fails': {
    status: 503,
    detail:
      'This invoice could not be made yet. We know about it, and will email it to you as soon as it is ready.',
  },
  'invoice-not-kept': { status: 410, detail: 'This invoice is so old that we no longer keep it.' },
  'credit-note-not-found': { status: 404, detail: 'There is no credit note for this refund.' },
  'credit-note-fails': {
    status: 503,
    detail:
      'This credit note could not be made yet. We know about it. You will find it in your payment history as soon as it is ready.',
  },
  'order-expired': {
    status: 409,
    detail: 'This order has expired. Please choose again. Nothing was charged.',
  },
  'payment-under-way': {
    status: 409,
    detail: 'A payment for this order is already under way.',
    code: 'payment-under-way',
  },
  'promocode-used-up': {
    status: 409,
    detail: 'This promocode has reached its limit. Remove it or enter another. Nothing was charged.',
    code: 'promocode-used-up',
  },
  'payments-paused': {
    status: 429,
    detail: 'Too many payments have failed. Please wait, then try again. Nothing was charged.',
    code: 'payments-paused',
  },
  'cancellation-refused': { status: 409, detail: 'This payment cannot be cancelled.' },
  'cancellation-id-taken': { status: 409, detail: 'This could not be sent. Please send it again.' },
  'payment-asks-nothing': { status: 409, detail: 'This payment is no longer waiting for an answer.' },
  'answer-refused': { status: 422, detail: 'This was not accepted. Please check it and try again.' },
  'gateway-silent': {
    status: 502,
    detail: 'The payment system is not answering. Nothing is lost. Please try again in a moment.',
  },
  'profile-changed': {
    status: 409,
    detail: 'Your profile was changed elsewhere. Reload it and save again.',
  },
  'account-pays': {
    status: 409,
    detail: 'One of your payments is still under way. Wait until it has finished, then delete the account.',
  },
  'account-disputes': {
    status: 409,
    detail:
      'Your bank has asked us for the money of a payment back. Until that is decided we have to keep what the payment was for. Delete the account after that.',
  },
  'account-lacks-invoice': {
    status: 409,
    detail:
      'One of your invoices could not be made yet, and we have to make it before the account is deleted. We know about it, and will email it to you. Delete the account after that.',
  },
  'conversation-not-found': { status: 404, detail: 'We could not find this conversation.' },
  'account-withdraws': {
    status: 409,
    detail:
      'You have requested a withdrawal from your partner account. Wait until it has finished, then delete the account.',
  },
  'withdrawal-id-taken': {
    status: 409,
    detail: 'This could not be requested. Check your withdrawals, then try again.',
  },
  'conversation-id-taken': { status: 409, detail: 'This could not be sent. Please send it again.' },
  'questions-full': {
    status: 429,
    detail:
      'We have more questions than we can take at the moment. Nothing was sent. Log in and write to us from your profile, or email us.',
  },
  'question-link-not-found': {
    status: 404,
    detail: 'This link has expired or is incomplete. Ask us again, and we will send you a new one.',
  },
  'messages-unanswered': {
    status: 409,
    detail:
      'You have written many messages since our last answer. Please wait for our reply before you write again.',
  },
  'method-not-open': {
    status: 409,
    detail: 'This way to pay is not available yet. Nothing was charged. Pay by card.',
    code: 'method-not-open',
  },
  'banks-unknown': {
    status: 503,
    detail:
      'We cannot look up your bank right now. Nothing was charged. Please try again in a moment, or pay another way.',
    code: 'banks-unknown',
  },
  invalid: { status: 422, detail: 'Please check what you have entered.' },
  'total-differs': { status: 422, detail: 'The price has changed. Please check it and try again.' },
  'callback-refused': { status: 400, detail: 'This is not a callback that we accept.' },
  'too-many-requests': { status: 429, detail: 'Too many attempts. Please wait a little and try again.' },
  'media-type': { status: 415, detail: 'Send the content as application/json.' },
  'too-large': { status: 413, detail: 'This is larger than we accept.' },
  'bad-json': { status: 400, detail: 'The content is not valid JSON.' },
  'not-readable': { status: 400, detail: 'We could not read this request.' },
  'method-not-allowed': { status: 405, detail: 'This address does not take this method.' },
  'too-slow': { status: 408, detail: 'The request took too long to arrive.' },
  'headers-too-large': { status: 431, detail: 'The headers of this request are larger than we accept.' },
  unavailable: { status: 503, detail: 'We cannot answer right now. Please try again in a moment.' },
  unexpected: { status: 500, detail: 'Something went wrong on our side. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; detail: string; code?: ProblemCode }>

export type ProblemName = keyof typeof PROBLEMS

type Extras = {
  detail?: string
  errors?: ProblemReply['errors']
  paymentId?: string
  /** Sent as Allow. */
  allow?: readonly string[]
  /** Sent as Retry-After. */
  retryAfterSeconds?: number
  /** The same as a time (ISO 8601), for a page to show. */
  until?: string
}

/** An expected failure; the problem handler turns it into application/problem+json. */
export class Problem extends Error {
  override name = 'Problem'
  readonly kind: ProblemName
  readonly status: number
  readonly extras: Extras
  constructor(kind: ProblemName, extras: Extras = {}) {
    super(extras.detail ?? PROBLEMS[kind].detail)
    this.kind = kind
    this.status = PROBLEMS[kind].status
    this.extras = extras
  }

  toReply(): ProblemReply {
    const { errors, paymentId, until } = this.extras
    const known: { status: number; code?: ProblemCode } = PROBLEMS[this.kind]
    return {
      title: STATUS_CODES[this.status] ?? 'Error',
      status: this.status,
      detail: this.message,
      ...(errors ? { errors } : {}),
      ...(paymentId ? { paymentId } : {}),
      ...(until ? { until } : {}),
      ...(known.code ? { code: known.code } : {}),
    }
  }
}

/** A field that was refused, by a rule that no schema can hold. */
export const invalidField = (path: string, message: string): Problem =>
  new Problem('invalid', { detail: message, errors: [{ path, message }] })
