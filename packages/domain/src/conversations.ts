/** How much the forms that reach a person take. */
export const CONVERSATION_TEXT = { min: 10, max: 5000 } as const
/** What is written on in a conversation: an answer may be a 'y'. */
export const MESSAGE_TEXT = { min: 1, max: CONVERSATION_TEXT.max } as const

export const CONVERSATION_KINDS = ['application', 'support'] as const
export type ConversationKind = (typeof CONVERSATION_KINDS)[number]

export const MESSAGE_AUTHORS = ['customer', 'operator'] as const
export type MessageAuthor = (typeof MESSAGE_AUTHORS)[number]

/** How each kind can stand. */
export const CONVERSATION_STATES = {
  support: ['new', 'answered', 'closed'],
  application: ['new', 'talking', 'accepted', 'refused'],
} as const satisfies Record<ConversationKind, readonly string[]>
export type ConversationState<K extends ConversationKind = ConversationKind> =
  (typeof CONVERSATION_STATES)[K][number]

type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>

/** A customer who writes on makes the conversation new again, a closed one too. */
export const SUPPORT_TRANSITIONS: Transitions<ConversationState<'support'>> = {
  new: ['answered', 'closed'],
  answered: ['new', 'closed'],
  closed: ['new', 'answered'],
}

/** A decision is taken back by talking again, never turned into its opposite in one step. */
export const APPLICATION_TRANSITIONS: Transitions<ConversationState<'application'>> = {
  new: ['talking', 'accepted', 'refused'],
  talking: ['accepted', 'refused'],
  accepted: ['talking'],
  refused: ['talking'],
}

const TRANSITIONS: Record<ConversationKind, Readonly<Record<string, readonly string[]>>> = {
  support: SUPPORT_TRANSITIONS,
  application: APPLICATION_TRANSITIONS,
}

export const canTransitionConversation = (kind: ConversationKind, from: string, to: string): boolean =>
  TRANSITIONS[kind][from]?.includes(to) ?? false

/** How it stands once someone has written. Words decide nothing about an application that has been decided. */
export const stateAfterMessage = (
  kind: ConversationKind,
  state: ConversationState,
  author: MessageAuthor,
): ConversationState => {
  if (kind === 'support') return author === 'customer' ? 'new' : 'answered'
  return author === 'operator' && state === 'new' ? 'talking' : state
}

/** How long a conversation is kept after its last message. An accepted application stays while the account does. */
export const CONVERSATION_KEPT_MONTHS = 12

/** The link to a visitor's question opens it for so many days after its last message. */
export const QUESTION_LINK_DAYS = 30
/** While so many questions of visitors wait for an answer, another is held until its mailed link was opened. */
export const MOST_WAITING_QUESTIONS = 300
/** So many an hour are held, until `QUESTION_LINK_DAYS`: none of them makes room for another. */
export const HELD_QUESTIONS_AN_HOUR = 60
/** So many acknowledgements a day go to an address, which anyone may have typed. */
export const QUESTIONS_ACKNOWLEDGED_A_DAY = 3
/** So many messages of a conversation, and of all of an account's, are taken within so many days without an answer of ours. */
export const MOST_UNANSWERED = { ofConversation: 20, ofAccount: 50, days: 30 } as const

/** The operator's same words within this time are taken for the same command run twice. */
export const SAME_REPLY_MINUTES = 10
