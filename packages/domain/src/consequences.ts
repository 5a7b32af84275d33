import type { Permission } from './operator-roles.ts'

/**
 * What an act of an operator brings about. It decides what the act takes, and the route does not: so the same sum given
 * back in two ways takes the same.
 *
 * `permissions`: what may be asked for such an act. `proof`: 'none', and a token may do it; 'person', by someone who is
 * logged in, never by a token; 'fresh', by someone who has shown within PROOF_MINUTES who they are. `second`: when
 * another operator has to confirm it.
 */
type Rule = Readonly<{
  permissions: readonly (Permission | 'own')[]
  proof: 'none' | 'person' | 'fresh'
  /** 'owners': who is, or becomes, an owner. 'limits': a setting that decides this policy. 'sums': see `judgeSum`. */
  second: 'never' | 'owners' | 'limits' | 'sums'
}>

const SEES = [
  'shop.see',
  'revenue.see',
  'customers.see',
  'connections.see',
  'payments.see',
  'disputes.see',
  'nodes.see',
  'plans.see',
  'promocodes.see',
  'partners.see',
  'withdrawals.see',
  'conversations.see',
  'applications.see',
  'books.see',
  'incidents.see',
  'settings.see',
  'webhooks.see',
  'jobs.see',
  'record.see',
  'second-person.see',
  'operators.see',
] as const satisfies readonly Permission[]

export const CONSEQUENCES = {
  /** Shows figures and states. */
  looks: {
    permissions: [...SEES, 'payments.cancel', 'settings.change', 'own'],
    proof: 'none',
    second: 'never',
  },
  /** Shows whose something is, or asks the gateway about it. */
  opens: {
    permissions: [
      'shop.see',
      'shop.examine',
      'customers.open',
      'conversations.open',
      'partners.open',
      'books.open',
      'books.change',
      'payments.refund',
      'payments.settle',
    ],
    proof: 'none',
    second: 'never',
  },
  /** Hands out all that is known of a person, or the account that a person is paid to. */
  exports: {
    permissions: ['customers.export', 'disputes.change', 'withdrawals.pay'],
    proof: 'fresh',
    second: 'never',
  },
  /** Stays within the shop and takes nothing away: a note, who answers, another try. Or ends the operator's own access. */
  stays: {
    permissions: [
      'own',
      'books.change',
      'conversations.reply',
      'customers.help',
      'disputes.change',
      'jobs.change',
      'nodes.change',
      'webhooks.change',
    ],
    proof: 'none',
    second: 'never',
  },
  /** Puts away what a person, or the gateway, has written or asked for, so that it waits no more; or sets what they are answered. */
  settles: {
    permissions: [
      'second-person.confirm',
      'applications.decide',
      'conversations.reply',
      'customers.help',
      'customers.reset-second-step',
      'disputes.change',
      'payments.cancel',
      'settings.change',
    ],
    proof: 'person',
    second: 'never',
  },
  /** An email to one person, in the shop's name. */
  writes: {
    permissions: ['conversations.reply', 'applications.decide', 'customers.help', 'settings.change'],
    proof: 'person',
    second: 'never',
  },
  /** What the books count by. */
  books: { permissions: ['books.change'], proof: 'fresh', second: 'never' },
  /** A text or a price that everyone reads. */
  publishes: {
    permissions: ['plans.change', 'promocodes.change', 'incidents.change', 'books.change'],
    proof: 'fresh',
    second: 'never',
  },
  /** What the shop goes by: prices, the announcement, the limits of this policy. */
  rules: { permissions: ['settings.change'], proof: 'fresh', second: 'limits' },
  /** Connections of customers change or end, or new ones are refused; or an account ends. */
  customers: {
    permissions: ['connections.change', 'customers.erase', 'nodes.change', 'nodes.remove', 'jobs.change'],
    proof: 'fresh',
    second: 'never',
  },
  /** Time is given for nothing, within bounds: nothing is owed for it, and no book counts it. */
  gives: { permissions: ['connections.give-days'], proof: 'person', second: 'never' },
  /** Money moves, or is given up. */
  money: {
    permissions: [
      'payments.refund',
      'payments.cancel',
      'payments.settle',
      'disputes.change',
      'withdrawals.pay',
    ],
    proof: 'fresh',
    second: 'sums',
  },
  /** Someone, or a server, gets in or no longer does; or a program elsewhere is told of what happens. */
  access: {
    permissions: [
      'own',
      'operators.change',
      'second-person.confirm',
      'customers.help',
      'customers.reset-second-step',
      'nodes.change',
      'webhooks.change',
    ],
    proof: 'fresh',
    second: 'owners',
  },
} as const satisfies Readonly<Record<string, Rule>>

export type Consequence = keyof typeof CONSEQUENCES

/** The permissions that may stand beside it. */
export type PermissionFor<C extends Consequence> = (typeof CONSEQUENCES)[C]['permissions'][number]

export const ruleOf = (consequence: Consequence): Rule => CONSEQUENCES[consequence]
