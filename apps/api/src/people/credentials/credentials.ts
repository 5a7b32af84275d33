/**
 * All that opens something: an account, the console, a node's list, a page. Plain data: what ends sessions, restores a backup
 * or brings a point in time back keeps to it, and credentials.test.ts looks that it does, and that the database holds nothing
 * of the kind that is missing here.
 */

/** What becomes of it. */
export type Fate =
  /** It opens nothing any more. */
  | 'ends'
  /** All of the account's but the one by which it was asked for. */
  | 'others end'
  /** What was added less than FACTOR_TRIAL_DAYS before ends; what is older stays. */
  | 'new ones end'
  /** Its holder gets another in its place, and it opens nothing. */
  | 'replaced'
  /** It opens nothing until its holder has chosen another by a mailed link. */
  | 'waits'
  | 'stays'
  /** No account that has it can have the event. */
  | 'cannot be'

/** What may happen to a holder; each pair of it and a credential is walked through by a test. */
export const EVENTS_OF = {
  customer: [
    'email confirmed', // a change of the address is made
    'email undone', // from the old address, by the mailed link
    'reset by mail',
    'new password', // in a session
    'other sessions ended',
    'second step off',
    'logged out by us', // with a new password, by an operator
    'second step reset by us', // by two operators
    'erased',
  ],
  operator: ['invited anew', 'role lowered', 'ended', 'new password', 'passkey removed', 'password removed'],
  node: ['enrolled anew', 'removed'],
  stranger: [],
  shop: [],
} as const

/**
 * Of everyone: the shop goes back to an older state, in which is what was withdrawn since. `unchanged since`: in either way,
 * and its operator says that nothing can have been withdrawn (--keep-ways-in).
 */
const OF_ALL = ['restored', 'point in time', 'unchanged since'] as const

export type Holder = keyof typeof EVENTS_OF
export type EventOf<H extends Holder> = (typeof EVENTS_OF)[H][number] | (typeof OF_ALL)[number]

export type Credential<H extends Holder = Holder> = {
  /** As people call it. */
  name: string
  holder: H
  /** What it opens. */
  opens: string
  table: string
  /** Those that hold it, and those that name its holder, its end and its use. */
  columns: readonly string[]
  /** The column with the time since when it is held; undefined where it is not kept. */
  since?: string
  /** Whether the row is the credential, so that without it the row goes; otherwise only `columns` are emptied. */
  isRow: boolean
  /** In SQL: which rows end where it ends. Undefined: all. */
  endingRows?: string
  events: Readonly<Record<EventOf<H>, Fate>>
}

const credential = <H extends Holder>(one: Credential<H>): Credential => one as unknown as Credential

const ALL_END = {
  'email confirmed': 'ends',
  'email undone': 'ends',
  'reset by mail': 'ends',
  'new password': 'ends',
  'other sessions ended': 'ends',
  'second step off': 'ends',
  'logged out by us': 'ends',
  'second step reset by us': 'ends',
  erased: 'ends',
  restored: 'ends',
  'point in time': 'ends',
  'unchanged since': 'ends',
} as const satisfies Credential<'customer'>['events']

/** Of what shows a connection without a log-in, and opens no account. */
const LINK_ENDS = {
  ...ALL_END,
  'email confirmed': 'stays',
  'other sessions ended': 'stays',
  'second step off': 'stays',
} as const

/** A factor of a customer's account. Restored, what only answers a second step stays: alone it opens nothing. */
const FACTOR = {
  ...ALL_END,
  'email confirmed': 'stays',
  'email undone': 'new ones end',
  'reset by mail': 'new ones end',
  'new password': 'stays',
  'other sessions ended': 'stays',
  'logged out by us': 'new ones end',
  restored: 'stays',
  'point in time': 'stays',
  'unchanged since': 'stays',
} as const satisfies Credential<'customer'>['events']

const OPERATORS_ALL_END = {
  'invited anew': 'ends',
  'role lowered': 'ends',
  ended: 'ends',
  'new password': 'ends',
  'passkey removed': 'ends',
  'password removed': 'ends',
  restored: 'ends',
  'point in time': 'ends',
  'unchanged since': 'ends',
} as const satisfies Credential<'operator'>['events']

const SHOPS_STAY = { restored: 'stays', 'point in time': 'stays', 'unchanged since': 'stays' } as const

export const CREDENTIALS: readonly Credential[] = [
  credential({
    name: 'session',
    holder: 'customer',
    opens: 'the account',
    table: 'sessions',
    columns: ['token_hash', 'customer_id', 'expires_at', 'last_used_at'],
    since: 'created_at',
    isRow: true,
    events: {
      ...ALL_END,
      'email confirmed': 'stays', // the owner made the change in one of them
      'new password': 'others end',
      'other sessions ended': 'others end',
      'second step off': 'stays',
    },
  }),
  credential({
    name: 'password',
    holder: 'customer',
    opens: 'the account',
    table: 'customers',
    columns: ['password_hash'],
    isRow: false,
    events: {
      ...FACTOR,
      'email undone': 'replaced',
      'reset by mail': 'replaced',
      'new password': 'replaced',
      'second step off': 'stays',
      'logged out by us': 'replaced',
      'second step reset by us': 'stays',
      restored: 'waits',
      'point in time': 'waits',
    },
  }),
  credential({
    name: 'secret of the browser that signed up',
    holder: 'customer',
    opens: 'an unconfirmed account, with the mailed link',
    table: 'customers',
    columns: ['signup_secret_hash'],
    since: 'created_at',
    isRow: false,
    events: {
      'email confirmed': 'cannot be',
      'email undone': 'cannot be',
      'reset by mail': 'ends',
      'new password': 'cannot be',
      'other sessions ended': 'cannot be',
      'second step off': 'cannot be',
      'logged out by us': 'cannot be',
      'second step reset by us': 'cannot be',
      erased: 'cannot be',
      ...SHOPS_STAY, // with a link that is mailed anew
    },
  }),
  credential({
    name: 'mailed link to confirm an account or to choose a password',
    holder: 'customer',
    opens: 'the account',
    table: 'account_links',
    columns: ['token_hash', 'customer_id', 'expires_at', 'used_at'],
    since: 'created_at',
    isRow: true,
    events: { ...ALL_END, 'other sessions ended': 'stays', 'second step off': 'stays' },
  }),
  credential({
    name: 'passkey',
    holder: 'customer',
    opens: 'the account',
    table: 'passkeys',
    columns: ['credential_id', 'public_key', 'customer_id', 'last_used_at'],
    since: 'created_at',
    isRow: true,
    events: { ...FACTOR, 'second step off': 'stays', restored: 'ends', 'point in time': 'ends' },
  }),
  credential({
    name: 'authenticator app',
    holder: 'customer',
    opens: 'the second step',
    table: 'totp_secrets',
    columns: ['secret_encrypted', 'customer_id'],
    since: 'confirmed_at',
    isRow: true,
    events: FACTOR,
  }),
  credential({
    name: 'authenticator app that is being set up',
    holder: 'customer',
    opens: 'the second step, with its first code',
    table: 'totp_secrets',
    columns: ['pending_encrypted', 'pending_session_id', 'pending_until'],
    isRow: false,
    // It goes with the session that began it.
    events: {
      ...ALL_END,
      'email confirmed': 'stays',
      'new password': 'others end',
      'other sessions ended': 'others end',
    },
  }),
  credential({
    name: 'recovery code',
    holder: 'customer',
    opens: 'the second step, once',
    table: 'recovery_codes',
    columns: ['code_hash', 'customer_id', 'used_at'],
    since: 'created_at',
    isRow: true,
    events: FACTOR,
  }),
  credential({
    name: 'ticket of a log-in, or of a passkey to be added',
    holder: 'customer',
    opens: 'the account, with the second step',
    table: 'auth_challenges',
    columns: ['token_hash', 'challenge', 'customer_id', 'tries', 'expires_at'],
    since: 'created_at',
    isRow: true,
    events: { ...ALL_END, 'email confirmed': 'stays' },
  }),
  credential({
    name: 'wait at whose end the second step is off, and the link that stops it',
    holder: 'customer',
    opens: 'the account, with the password',
    table: 'customers',
    columns: ['second_step_ends_at', 'way_back_hash'],
    isRow: false,
    events: {
      ...ALL_END,
      'email confirmed': 'stays',
      'reset by mail': 'stays', // its owner has lost the step and the password
      'new password': 'stays',
      'other sessions ended': 'stays',
      'logged out by us': 'stays',
    },
  }),
  credential({
    name: 'change of the email: the links that confirm and undo it',
    holder: 'customer',
    opens: 'another address for the account, and the old one again',
    table: 'email_changes',
    columns: ['confirm_hash', 'undo_hash', 'customer_id', 'expires_at', 'undo_until'],
    since: 'asked_at',
    isRow: true,
    endingRows: 'changed_at is null',
    // Those that are not made yet. One that is made can be undone for its seven days, whatever happens in the account.
    events: { ...ALL_END, 'second step off': 'stays' },
  }),
  credential({
    name: 'link to a connection',
    holder: 'customer',
    opens: 'the configuration of a connection',
    table: 'connections',
    columns: ['link_hash', 'linked_at', 'link_expires_at'],
    since: 'linked_at',
    isRow: false,
    events: LINK_ENDS,
  }),
  credential({
    name: 'address of a connection’s file',
    holder: 'customer',
    opens: 'the configuration of a connection',
    table: 'connections',
    columns: ['file_address_hash', 'file_address_made_at'],
    since: 'file_address_made_at',
    isRow: false,
    events: LINK_ENDS,
  }),
  credential({
    name: 'keys of a connection',
    holder: 'customer',
    opens: 'the VPN',
    table: 'peers',
    columns: ['private_key_encrypted', 'preshared_key_encrypted', 'public_key'],
    since: 'created_at',
    isRow: true,
    // They are on the owner's devices, and open no account. Their owner makes new ones.
    events: {
      'email confirmed': 'stays',
      'email undone': 'stays',
      'reset by mail': 'stays',
      'new password': 'stays',
      'other sessions ended': 'stays',
      'second step off': 'stays',
      'logged out by us': 'stays',
      'second step reset by us': 'stays',
      erased: 'ends',
      ...SHOPS_STAY,
    },
  }),
  credential({
    name: 'one operator’s word that a second step may be reset',
    holder: 'customer',
    opens: 'the account without its second step, with another operator’s word',
    table: 'second_step_resets',
    columns: ['customer_id', 'operator_id', 'asked_at'],
    since: 'asked_at',
    isRow: true,
    events: {
      ...ALL_END,
      'email confirmed': 'stays',
      'reset by mail': 'stays',
      'new password': 'stays',
      'other sessions ended': 'stays',
      'logged out by us': 'stays',
    },
  }),
  credential({
    name: 'withdrawal that waits',
    holder: 'customer',
    opens: 'the partner’s balance, to the bank account that it names',
    table: 'withdrawals',
    columns: ['details_encrypted'],
    since: 'created_at',
    isRow: true,
    // An account with one that waits is not erased.
    events: { ...FACTOR, 'second step off': 'stays', 'second step reset by us': 'stays', erased: 'stays' },
  }),
  credential({
    name: 'mailed link to a conversation',
    holder: 'stranger',
    opens: 'what was asked without an account, and its replies',
    table: 'conversations',
    columns: ['link_hash', 'link_opened_at', 'customer_id'],
    since: 'created_at',
    isRow: false,
    events: SHOPS_STAY,
  }),
  credential({
    name: 'operator’s session',
    holder: 'operator',
    opens: 'the console',
    table: 'operator_sessions',
    columns: ['token_hash', 'operator_id', 'last_used_at'],
    since: 'created_at',
    isRow: true,
    events: {
      ...OPERATORS_ALL_END,
      'role lowered': 'stays', // with the rights of the new role
      'new password': 'others end',
      'passkey removed': 'others end',
      'password removed': 'others end',
    },
  }),
  credential({
    name: 'operator’s password and app',
    holder: 'operator',
    opens: 'the console',
    table: 'operators',
    columns: ['password_hash', 'totp_encrypted', 'totp_last_step'],
    isRow: false,
    events: {
      ...OPERATORS_ALL_END,
      'role lowered': 'stays',
      'new password': 'replaced',
      'passkey removed': 'stays',
      'unchanged since': 'stays',
    },
  }),
  credential({
    name: 'operator’s passkey',
    holder: 'operator',
    opens: 'the console',
    table: 'operator_passkeys',
    columns: ['credential_id', 'public_key', 'operator_id', 'last_used_at'],
    since: 'created_at',
    isRow: true,
    events: {
      ...OPERATORS_ALL_END,
      'role lowered': 'stays',
      'new password': 'stays',
      'password removed': 'stays',
      'unchanged since': 'stays',
    },
  }),
  credential({
    name: 'operator’s invitation',
    holder: 'operator',
    opens: 'the console, by what is set up with it',
    table: 'operator_invitations',
    columns: ['token_hash', 'operator_id', 'invited_by', 'expires_at', 'used_at'],
    since: 'created_at',
    isRow: true,
    events: {
      ...OPERATORS_ALL_END,
      'role lowered': 'stays', // into the new role
      'new password': 'cannot be',
      'passkey removed': 'cannot be',
      'password removed': 'cannot be',
    },
  }),
  credential({
    name: 'token of an operator’s program',
    holder: 'operator',
    opens: 'the console’s interface',
    table: 'operator_tokens',
    columns: ['token_hash', 'operator_id', 'permissions', 'expires_at', 'last_used_at'],
    since: 'created_at',
    isRow: true,
    events: {
      ...OPERATORS_ALL_END,
      'new password': 'stays',
      'passkey removed': 'stays',
      'password removed': 'stays',
      'unchanged since': 'stays',
    },
  }),
  credential({
    name: 'act that waits for a second person',
    holder: 'operator',
    opens: 'what it names, with another operator’s word',
    table: 'second_persons',
    columns: ['operator_id', 'expires_at'],
    since: 'asked_at',
    isRow: true,
    events: {
      ...OPERATORS_ALL_END,
      'new password': 'stays',
      'passkey removed': 'stays',
      'password removed': 'stays',
    },
  }),
  credential({
    name: 'ticket of an operator’s log-in, or of a way in to be added',
    holder: 'operator',
    opens: 'the console, with the code or the passkey',
    table: 'operator_challenges',
    columns: ['token_hash', 'challenge', 'operator_id', 'tries', 'expires_at'],
    since: 'created_at',
    isRow: true,
    events: { ...OPERATORS_ALL_END, 'role lowered': 'stays' },
  }),
  credential({
    name: 'enrolment token',
    holder: 'node',
    opens: 'being the node',
    table: 'nodes',
    columns: ['enrolment_hash', 'enrolment_expires_at'],
    isRow: false,
    events: {
      'enrolled anew': 'replaced',
      removed: 'ends',
      restored: 'ends',
      'point in time': 'ends',
      'unchanged since': 'ends',
    },
  }),
  credential({
    name: 'agent’s secret',
    holder: 'node',
    opens: 'the list of the node’s peers',
    table: 'nodes',
    columns: ['agent_hash', 'public_key'],
    isRow: false,
    events: { 'enrolled anew': 'ends', removed: 'ends', ...SHOPS_STAY },
  }),
  credential({
    name: 'key of mailed links, known browsers and counts',
    holder: 'shop',
    opens: 'making any of them',
    table: 'sealing_keys',
    columns: ['hash_key_encrypted', 'first_used_at'],
    since: 'first_used_at',
    isRow: true,
    events: SHOPS_STAY,
  }),
]

/** Columns that look like a credential, or tables of a customer's or an operator's, that open nothing, with the reason. */
export const NO_CREDENTIALS: Readonly<Record<string, string>> = {
  'accepted_record_faults.mac': 'under a key, of what an operator looked into',
  'agent_archive_parts.content': 'a version of the agent, which anyone may have',
  'connections.expires_at': 'the end of what was bought',
  'connections.link_mailed_at': 'when a mail was sent',
  'connections.keys_every_days': 'how often keys are made anew',
  'connections.keys_renew_on': 'a day',
  'connections.keys_told_on': 'a day',
  'connections.keys_renewed_at': 'when keys were made anew',
  'connections.keys_mailed_at': 'when a mail was sent',
  'connections.keys_reminded_at': 'when a mail was sent',
  'connections.file_address_mailed_at': 'when a mail was sent',
  'connections.file_address_read_at': 'when a file was fetched',
  'customers.promocode': 'a discount, to be handed out',
  'failing_invoices.tries': 'a count of our own',
  'incidents.ends_at': 'published',
  'node_hours.tries': 'how many handshakes the shop sent to a node',
  'node_minutes.tries': 'how many handshakes the shop sent to a node',
  'nodes.shop_key': 'the public half, by which a node knows the shop',
  'operator_record.hash': 'of what operators did',
  'operator_record.seal': 'under a key, of what operators did',
  'orders.expires_at': 'until when the order may be paid, by its customer',
  'orders.promocode': 'a discount, to be handed out',
  'partners.promocode_closed_at': 'a time',
  'partners.promocode_limit': 'a count',
  'partners.promocode_uses': 'a count',
  'payment_steps.gate_code': 'the gateway’s word for an outcome',
  'payments.auth_code': 'printed on a receipt',
  'payments.card_hash': 'compared only, under a key',
  'payments.challenge_answered_at': 'when a bank’s question was answered',
  'payments.gate_code': 'the gateway’s word for an outcome',
  'payments.network_hash': 'compared only, under a key',
  'payments.terms_hash': 'of the terms that everyone may read',
  'payments.promocode': 'a discount, to be handed out',
  'rate_counts.ends_at': 'the end of a count',
  'rate_counts.key': 'what is counted, under a key',
  'refunds.gate_code': 'the gateway’s word for an outcome',
  'terms.content': 'the terms that everyone may read',
  'terms.hash': 'of the same',
  'peers.has_own_key': 'whether the shop lacks the private half',
  'unreadable_secrets.sealed_hash': 'of a value that no key opens',
  'returned_purchases.key': 'what is counted: an account’s id, or a keyed hash',
  'velocity_counts.key': 'what is counted, under a key',
  'webhook_deliveries.status_code': 'what a receiver answered',
  'webhook_endpoints.former_secret_encrypted': 'signed what the shop tells, and opens nothing here',
  'webhook_endpoints.former_secret_until': 'until when that signs',
  'webhook_endpoints.secret_encrypted': 'signs what the shop tells, and opens nothing here',
  closed_months: 'what a month came to',
  'operator_identities.last_used_at': 'when somebody came',
  operator_identities: 'who an operator is at the provider, which alone can say that they are there',
  conversation_views: 'which operator has which conversation open',
  customer_notes: 'text',
  goodwill_days: 'days that were given',
  imports: 'when another panel’s server was taken over',
  orders: 'what was ordered; only its customer pays by it',
  operator_sums: 'what was given back',
  partners: 'counts',
  payments: 'what was paid; its id shows one payment’s status',
  price_changes: 'prices',
  purchases: 'what was bought',
  running_settings: 'settings',
  security_events: 'what happened',
}
