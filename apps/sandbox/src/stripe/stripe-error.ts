type Said = { code?: string; decline_code?: string; param?: string }

/** What Stripe answers instead of what was asked for. */
export class StripeError extends Error {
  readonly httpStatus: number
  readonly type: string
  readonly said: Said

  constructor(
    httpStatus: number,
    message: string,
    said: Said = {},
    type = httpStatus >= 500 ? 'api_error' : 'invalid_request_error',
  ) {
    super(message)
    this.httpStatus = httpStatus
    this.type = type
    this.said = said
  }
}

export const presentStripeError = ({ type, message, said }: StripeError) => ({
  error: { type, message, ...said },
})

/** Names of any length arrive, and would come back in the answer. */
const SHOWN = 200
export const shown = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

export const noSuch = (what: string, id: string, param = 'id'): StripeError =>
  new StripeError(404, `No such ${what}: '${shown(id)}'`, { code: 'resource_missing', param })
