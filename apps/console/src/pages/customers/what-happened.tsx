import { Button } from '@hedgerow/ui/button.tsx'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { Section } from '#shared/section.tsx'
import { type Moment, Timeline } from '#shared/timeline.tsx'

type Customer = ReplyOf<'getCustomer'>

const to = (path: string, words: string) => (
  <Link to={path} className="link">
    {words}
  </Link>
)

const paymentsOf = ({ recentPayments, refunds }: Customer): Moment[] => [
  ...recentPayments.map(({ id, createdAt, charged, status, outcome }) => ({
    at: createdAt,
    what: to(
      `/payments/${id}`,
      status === 'Success'
        ? `Paid ${sumText(charged)}`
        : `Payment of ${sumText(charged)}: ${status.toLowerCase()}`,
    ),
    more: outcome,
    tone: status === 'Success' ? ('good' as const) : ('plain' as const),
  })),
  ...refunds.map(({ paymentId, sum, status, at, endedAt }) => ({
    at: endedAt ?? at,
    what: to(
      `/payments/${paymentId}`,
      status === 'Success'
        ? `Refunded ${sumText(sum)}`
        : `Refund of ${sumText(sum)} ${status === 'Decline' ? 'refused' : 'under way'}`,
    ),
    tone: status === 'Decline' ? ('bad' as const) : ('plain' as const),
  })),
]

/** What was bought together comes and ends together. */
const together = (connections: Customer['recentConnections'], word: string, at: string): Moment => {
  const [first, ...others] = connections
  const what =
    first && others.length === 0
      ? to(`/connections/${first.id}`, `${first.name} ${word}`)
      : `${connections.length} connections ${word}`
  return {
    at,
    what,
    ...(others.length === 0 ? {} : { more: connections.map(({ name }) => name).join(', ') }),
    tone: word === 'delivered' ? 'good' : 'plain',
  }
}

const connectionsOf = ({ recentConnections }: Customer, now: string): Moment[] => {
  const made = Map.groupBy(recentConnections, ({ createdAt }) => createdAt)
  const ended = Map.groupBy(
    recentConnections.filter(({ expiresAt }) => expiresAt !== null && expiresAt < now),
    ({ expiresAt }) => expiresAt ?? '',
  )
  return [
    ...[...made].map(([at, all]) => together(all, 'delivered', at)),
    ...[...ended].map(([at, all]) => together(all, 'ended', at)),
  ]
}

/** Of what the page has of each kind, all in one order. */
const momentsOf = (customer: Customer, now: string): Moment[] =>
  [
    { at: customer.createdAt, what: 'Account created' },
    ...customer.orders.map(({ id, createdAt, what, total }) => ({
      at: createdAt,
      what: to(`/orders/${id}`, `Order of ${sumText(total)}`),
      more: what,
    })),
    ...paymentsOf(customer),
    ...connectionsOf(customer, now),
    ...customer.conversations.map(({ id, kind, state, lastMessageAt }) => ({
      at: lastMessageAt,
      what: to(`/inbox/${id}`, kind === 'support' ? 'Support message' : 'White label application'),
      more: state,
    })),
    ...customer.security.events.map(({ at, what, browser, times }) => ({
      at,
      what: times > 1 ? `${what} (${times} times)` : what,
      more: browser,
    })),
    ...customer.acts.map(({ at, by, what }) => ({ at, what, more: `by ${by}` })),
    ...customer.notes.map(({ at, by }) => ({ at, what: 'Note written', more: `by ${by}` })),
  ].sort((a, b) => b.at.localeCompare(a.at))

const FIRST = 15

export const WhatHappened = ({ customer }: { customer: Customer }) => {
  const [isWhole, setWhole] = useState(false)
  const moments = momentsOf(customer, new Date().toISOString())
  return (
    <Section title="What happened">
      <Timeline moments={isWhole ? moments : moments.slice(0, FIRST)} isNewestFirst />
      {!isWhole && moments.length > FIRST && (
        <Button variant="quiet" onClick={() => setWhole(true)}>
          Show earlier
        </Button>
      )}
    </Section>
  )
}
