/** What a payment can wait for, as the sandbox names it. */
export type NextActionName =
  | 'challenge'
  | 'provider-challenge'
  | 'method'
  | 'native-challenge'
  | 'billing-address'
  | 'consent'
  | 'bank'
  | 'bank-by-post'
  | 'blik-code'
  | 'bank-app'
  | 'qr'
  | 'merchant-auth'

type Fields = Record<string, string>

type RedirectData = {
  url: string
  method: 'GET' | 'POST'
  /** The gateway writes what is empty as an array. */
  body: Fields | []
  encrypted: []
}

export type FieldSchema = {
  type: 'string' | 'boolean'
  title: string
  maxLength?: number
  default?: string
  readOnly?: true
}

export type Clarification = {
  properties: Record<string, FieldSchema>
  required: string[]
  errors: { property: string; message: string; constraint: string }[]
}

/** The part of a callback and of a status answer that says what to do next, word for word. */
export type Shown = {
  acs?: { pa_req: string; acs_url: string; md: string }
  threeds2?: { iframe: { url: string; params: Fields } } | { redirect: { url: string; params: Fields } }
  redirect_data?: RedirectData
  clarification_fields?: Record<string, Clarification>
  display_data?: { type: string; title: string; data: string }[]
}
