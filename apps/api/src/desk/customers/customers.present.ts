import type {
  CustomerActivity,
  CustomerPage,
  FoundCustomer,
  ListedCustomer,
} from '@hedgerow/contract/console/customers'
import { isoOrNull } from '@hedgerow/domain/dates'
import { maskEmail, maskName } from '@hedgerow/domain/masked'
import type { Permission } from '@hedgerow/domain/operator-roles'
import { levelFor } from '@hedgerow/domain/partnership'
import { wordsOfEvent } from '@hedgerow/domain/security-events'
import { listedConnection } from '#desk/connections/connections.present.ts'
import { shownText } from '#desk/console/shown-names.ts'
import type { CustomerFacts } from '#desk/customers/customer-facts.queries.ts'
import type { findCustomerPage } from '#desk/customers/customer-page.ts'
import type { AccountActivity } from '#desk/customers/guard-account.ts'
import type { FoundRow } from '#desk/customers/search-customers.queries.ts'
import { listedOrder } from '#desk/orders/orders.present.ts'
import { listedPayment } from '#desk/payments/payments.present.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

export const listedCustomer = (row: CustomerFacts): ListedCustomer => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  email: maskEmail(row.email),
  name: maskName(row.name),
  isConfirmed: row.confirmed_at !== null,
  hasSecondStep: row.second_step_at !== null,
  mailReturned: row.mail_returned,
  country: row.address_country,
  payments: Number(row.payments),
  connections: Number(row.connections),
})

type Page = NonNullable<Awaited<ReturnType<typeof findCustomerPage>>>

export const customerPage = (page: Page, operator: OperatorCaller): CustomerPage => {
  const { facts, partner, activity, conversations, notes, reset } = page
  /** A page of a person shows no more than the lists that its reader may see. */
  const sees = <T>(permission: Permission, rows: readonly T[]) =>
    operator.permissions.has(permission) ? rows : []
  const { level, percentage } = levelFor(partner.facts.settled)
  const inCurrency = (currency: string) => (minor: string | number) => ({ minor: Number(minor), currency })
  return {
    ...listedCustomer(facts),
    promocode: facts.promocode,
    cameByReferral: facts.referred_by !== null,
    orders: page.orders.map((row) => listedOrder(row, operator)),
    recentPayments: page.payments.map((row) => listedPayment(row, operator)),
    recentConnections: sees('connections.see', page.connections).map((row) =>
      listedConnection(row, operator),
    ),
    conversations: sees('conversations.see', conversations).map(({ id, kind, state, last_message_at }) => ({
      id,
      kind,
      state,
      lastMessageAt: last_message_at.toISOString(),
    })),
    partner: operator.permissions.has('partners.see')
      ? {
          level,
          percentage,
          transactions: partner.facts.transactions,
          balances: partner.balances.map((row) => {
            const sum = inCurrency(row.currency)
            return {
              currency: row.currency,
              available: sum(row.available_minor),
              pending: sum(row.pending_minor),
              requested: sum(row.requested_minor),
              paid: sum(row.paid_minor),
              owing: sum(row.owing_minor),
            }
          }),
        }
      : null,
    security: {
      secondStepSince: isoOrNull(activity.guard.second_step_at),
      secondStepEndsAt: isoOrNull(activity.guard.second_step_ends_at),
      passkeys: activity.passkeys.length,
      hasApp: activity.guard.totp_at !== null,
      sessions: activity.sessions.length,
      events: activity.events.map(({ kind, browser, times, last_at }) => ({
        at: last_at.toISOString(),
        what: wordsOfEvent(kind),
        browser,
        times,
      })),
    },
    refunds: page.refunds.flatMap(({ payment_id, amount_minor, status, created_at, ended_at }) => {
      const payment = page.payments.find(({ id }) => id === payment_id)
      if (!payment) return []
      const sum = { minor: amount_minor, currency: paidSum(payment).currency }
      return [
        { paymentId: payment_id, sum, status, at: created_at.toISOString(), endedAt: isoOrNull(ended_at) },
      ]
    }),
    acts:
      operator.permissions.has('customers.help') || operator.permissions.has('record.see')
        ? page.acts.map(({ at, who, what }) => ({ at: at.toISOString(), by: who, what }))
        : [],
    notes: notes.map(({ id, by, text, created_at, operator_id }) => ({
      id,
      at: created_at.toISOString(),
      by,
      text: shownText(text, operator),
      isMine: operator_id === operator.id || operator.permissions.has('customers.erase'),
    })),
    resetAsked: reset
      ? { by: reset.by, at: reset.asked_at.toISOString(), isMine: reset.operator_id === operator.id }
      : null,
  }
}

export const foundCustomer = (row: FoundRow): FoundCustomer => ({
  id: row.id,
  email: row.email,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  isConfirmed: row.confirmed_at !== null,
})

/** With no key, no hash and no code. */
export const customerActivity = (
  { guard, passkeys, sessions, events }: AccountActivity,
  most: number,
): CustomerActivity => ({
  secondStepAt: isoOrNull(guard.second_step_at),
  secondStepEndsAt: isoOrNull(guard.second_step_ends_at),
  authenticatorAppAt: isoOrNull(guard.totp_at),
  recoveryCodes: guard.recovery_codes,
  passkeys: passkeys.map((row) => ({
    name: row.name,
    isSynced: row.is_synced,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: isoOrNull(row.last_used_at),
  })),
  sessions: sessions.map((row) => ({
    browser: row.browser,
    network: row.network,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  })),
  events: events.slice(0, most).map((row) => ({
    lastAt: row.last_at.toISOString(),
    what: wordsOfEvent(row.kind),
    times: row.times,
    browser: row.browser,
    network: row.network,
    at: row.created_at.toISOString(),
  })),
  hasMore: events.length > most,
})
