import { loggedError } from '@hedgerow/domain/logged-error'
import pino from 'pino'

/** A line names no peer, no address and no key: only counts, and what went wrong. */
export const createLog = (level: string) => pino({ level, base: null, serializers: { err: loggedError } })
export type Log = ReturnType<typeof createLog>
