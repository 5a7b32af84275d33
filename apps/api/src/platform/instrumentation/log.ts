import { loggedError } from '@hedgerow/domain/logged-error'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { workContext } from '#platform/instrumentation/work-context.ts'

/** Errors under any name, and what Fastify passes of its own accord: nothing of them but what is named here. */
const OPTIONS: LoggerOptions = {
  name: 'api',
  serializers: {
    err: loggedError,
    error: loggedError,
    req: ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions?.url }),
    res: ({ statusCode }: FastifyReply) => ({ statusCode }),
  },
  // Lines of a call have its id from Fastify; those of services and jobs get it here.
  mixin: (_line, _level, logger: Logger) => {
    const context = workContext()
    if (!context || 'requestId' in logger.bindings()) return {}
    // Who calls is in no line as they are.
    const { caller: _, networks: __, ...rest } = context
    return rest
  },
}

/** The log of the API, and the one place that decides what of errors and requests gets into it. */
export const createLog = (level: string, to?: DestinationStream): Logger =>
  to ? pino({ ...OPTIONS, level }, to) : pino({ ...OPTIONS, level })
