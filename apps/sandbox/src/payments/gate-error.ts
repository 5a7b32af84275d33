import { CODES, type Code } from '#payments/codes.ts'

export type FieldError = { code: Code; message: string; field: string; constraint: string }

/** A request that the gateway refuses in its answer: no operation comes of it. */
export class GateError extends Error {
  readonly httpStatus: number
  readonly code: Code
  readonly errors: readonly FieldError[]

  constructor(httpStatus: number, code: Code, errors: readonly FieldError[] = []) {
    super(CODES[code])
    this.httpStatus = httpStatus
    this.code = code
    this.errors = errors
  }
}

export const presentGateError = (error: GateError): object => ({
  status: 'error',
  code: error.code,
  message: error.message,
  ...(error.errors.length > 0 && { errors: error.errors }),
})
