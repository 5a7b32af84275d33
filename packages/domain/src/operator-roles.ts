/** What an operator may be. An owner may everything; a viewer sees figures and states, and no personal data. */
export const OPERATOR_ROLES = ['owner', 'manager', 'support', 'finance', 'servers', 'viewer'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const ROLE_WORDS: Readonly<Record<OperatorRole, string>> = {
  owner: 'Owner',
  manager: 'Manager',
  support: 'Support',
  finance: 'Finance',
  servers: 'Servers',
  viewer: 'Viewer',
}

const EVERYBODY = OPERATOR_ROLES

/**
 * Each capability, and who has it. `.see` shows no personal data: names and addresses come with `.open`, one at a time,
 * and the look is recorded.
 */
const HOLDERS = {
  'shop.see': EVERYBODY,
  /** Looks at all that the shop needs, as the tool's doctor does. */
  'shop.examine': ['owner'],
  /** What was sold altogether. Single payments are `payments.see`. */
  'revenue.see': ['owner', 'manager', 'finance', 'viewer'],
  'customers.see': ['owner', 'manager', 'support', 'finance', 'viewer'],
  'customers.open': ['owner', 'manager', 'support', 'finance'],
  'customers.help': ['owner', 'manager', 'support'],
  'customers.export': ['owner', 'manager', 'support'],
  'customers.erase': ['owner', 'manager'],
  'customers.reset-second-step': ['owner', 'manager', 'support'],
  'connections.see': ['owner', 'manager', 'support', 'servers', 'viewer'],
  'connections.change': ['owner', 'manager', 'support', 'servers'],
  'connections.give-days': ['owner', 'manager', 'support'],
  'connections.give-more-days': ['owner', 'manager'],
  'payments.see': ['owner', 'manager', 'support', 'finance', 'viewer'],
  'payments.refund': ['owner', 'manager', 'support', 'finance'],
  'payments.refund-large': ['owner', 'manager', 'finance'],
  'payments.settle': ['owner', 'manager', 'finance'],
  'payments.cancel': ['owner', 'manager', 'support'],
  'disputes.see': ['owner', 'manager', 'support', 'finance', 'viewer'],
  'disputes.change': ['owner', 'manager', 'finance'],
  'nodes.see': ['owner', 'manager', 'support', 'servers', 'viewer'],
  'nodes.change': ['owner', 'manager', 'servers'],
  'nodes.remove': ['owner', 'manager', 'servers'],
  'plans.see': EVERYBODY,
  'plans.change': ['owner', 'manager'],
  'promocodes.see': ['owner', 'manager', 'support', 'finance', 'viewer'],
  'promocodes.change': ['owner', 'manager'],
  'partners.see': ['owner', 'manager', 'finance', 'viewer'],
  'partners.open': ['owner', 'manager', 'finance'],
  'withdrawals.see': ['owner', 'manager', 'finance', 'viewer'],
  'withdrawals.pay': ['owner', 'manager', 'finance'],
  'conversations.see': ['owner', 'manager', 'support', 'viewer'],
  'conversations.open': ['owner', 'manager', 'support'],
  'conversations.reply': ['owner', 'manager', 'support'],
  'applications.see': ['owner', 'manager', 'support', 'viewer'],
  'applications.decide': ['owner', 'manager'],
  'books.see': ['owner', 'manager', 'finance', 'viewer'],
  'books.open': ['owner', 'manager', 'finance'],
  'books.change': ['owner', 'manager', 'finance'],
  'incidents.see': EVERYBODY,
  'incidents.change': ['owner', 'manager', 'support', 'servers'],
  'settings.see': ['owner', 'manager', 'viewer'],
  'settings.change': ['owner', 'manager'],
  'webhooks.see': ['owner', 'manager', 'servers', 'viewer'],
  'webhooks.change': ['owner', 'manager'],
  'jobs.see': ['owner', 'manager', 'servers', 'viewer'],
  'jobs.change': ['owner', 'manager', 'servers'],
  'record.see': ['owner', 'manager', 'viewer'],
  'second-person.see': ['owner', 'manager', 'finance'],
  'second-person.confirm': ['owner', 'manager', 'finance'],
  'operators.see': ['owner', 'manager'],
  'operators.change': ['owner'],
} as const satisfies Record<string, readonly OperatorRole[]>

export type Permission = keyof typeof HOLDERS

export const PERMISSIONS = Object.keys(HOLDERS) as Permission[]

const isHeldBy = (holders: readonly OperatorRole[], role: OperatorRole) => holders.includes(role)

export const mayRole = (role: OperatorRole, permission: Permission): boolean =>
  isHeldBy(HOLDERS[permission], role)

export const rolesWith = (permission: Permission): OperatorRole[] =>
  OPERATOR_ROLES.filter((role) => mayRole(role, permission))

/** In the order of the table. */
export const permissionsOf = (role: OperatorRole): Permission[] =>
  PERMISSIONS.filter((permission) => mayRole(role, permission))

/** A session of an operator ends when it was not used for so long. */
export const OPERATOR_IDLE_MINUTES = 30

/** And then whatever happens. */
export const OPERATOR_SESSION_HOURS = 12
