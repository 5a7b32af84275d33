/** What a log says of an error: never more than these, because libraries hang data of people on their errors. */
export type LoggedError = {
  type: string
  message: string
  code?: string
  stack?: string
  constraint?: string
  cause?: LoggedError
}

type Loose = {
  name?: unknown
  message?: unknown
  code?: unknown
  stack?: unknown
  constraint?: unknown
  cause?: unknown
}

const DEPTH = 3

/** PostgreSQL's codes for values that it refused; it quotes them in its words. */
const QUOTES_VALUES = /^22/

/** Words of parsers and of PostgreSQL that quote what they were given. */
const quotes = (type: string, code: string | undefined) =>
  type === 'SyntaxError' || QUOTES_VALUES.test(code ?? '')

/** Addresses hold log-ins, tokens and ids of payments: what is left is where they lead. */
const withoutPaths = (text: string): string =>
  text.replace(/\b(\w+:\/\/)(?:[^\s/@]*@)?([^\s/?#"']+)[^\s"']*/g, '$1$2')

/** People's addresses, in whatever an error says. */
const withoutPeople = (text: string): string =>
  text.replace(/[^\s<>"'(),;:=]+/g, (word) => (/.@./.test(word) ? '[e-mail]' : word))

const clean = (text: string) => withoutPeople(withoutPaths(text))

const isFrame = (line: string) => /^\s+at /.test(line)

export const loggedError = (error: unknown, depth = DEPTH): LoggedError => {
  if (typeof error !== 'object' || error === null)
    return { type: typeof error, message: 'Thrown as no error' }
  const { name, message, code, stack, constraint, cause } = error as Loose
  const type = typeof name === 'string' && name ? name : 'Error'
  const known = typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
  // A stack begins with the message: only its frames are kept, whose addresses are files of ours.
  const frames = typeof stack === 'string' ? stack.split('\n').filter(isFrame).join('\n') : ''
  return {
    type,
    message: quotes(type, known)
      ? 'Its words quote what was given, and are left out'
      : clean(String(message)),
    ...(known ? { code: known } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(frames ? { stack: frames } : {}),
    ...(cause !== undefined && depth > 1 ? { cause: loggedError(cause, depth - 1) } : {}),
  }
}
