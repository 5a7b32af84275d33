import { loggedError } from '@hedgerow/domain/logged-error'
import pino from 'pino'

/** Of pino's levels. */
const ERROR = 50

/** A line names no peer, no address and no key: only counts, and what went wrong. */
export const createLog = (level: string, onError?: () => void) =>
  pino({
    level,
    base: null,
    serializers: { err: loggedError },
    hooks: {
      logMethod(given, method, number) {
        if (number >= ERROR) onError?.()
        method.apply(this, given)
      },
    },
  })
export type Log = ReturnType<typeof createLog>
