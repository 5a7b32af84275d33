/** One field that the gateway asks for. `name` is its path, such as 'avs_data.avs_post_code'. */
export type ClarificationField = {
  name: string
  label: string
  type: 'text' | 'consent'
  /** What is consented to, in the words of the bank's rules. */
  text?: string
  isRequired: boolean
  /** What was wrong with the last answer. */
  error?: string
  /** What a consent says to the gateway, by the paths of its fields. */
  says?: Record<string, string | boolean>
}

/** What the customer has to do next. */
export type NextAction =
  /** To answer the issuer's question on its page (the basic 3-D Secure flow). */
  | { kind: 'challenge'; acsUrl: string; paReq: string; md: string }
  /** The same in the extended flow. */
  | { kind: 'challenge-2'; url: string; creq: string; sessionData: string }
  /** To let the issuer's server look at the browser, in a hidden frame (3-D Secure 2, extended flow). */
  | { kind: 'method'; url: string; fields: Record<string, string> }
  /** To go to a page of a bank or a payment system. */
  | { kind: 'redirect'; url: string; method: 'GET' | 'POST'; body: Record<string, string> }
  | { kind: 'clarification'; fields: ClarificationField[] }
  /** To do something in the payment system, with what it gives to be shown. */
  | { kind: 'action'; display: { type: string; title: string; data: string }[] }
  /** To agree that a code is sent, then to enter it. */
  | { kind: 'authorisation'; stage: 'start' | 'finish' }
