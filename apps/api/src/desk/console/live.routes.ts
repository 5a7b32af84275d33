import type { ServerResponse } from 'node:http'
import { type LiveKind, live } from '@hedgerow/contract/console/live'
import type { Permission } from '@hedgerow/domain/operator-roles'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LiveEvents } from '#desk/console/live-events.ts'
import { holdAnswer, type OperatorCaller, secondsIn } from '#people/operators/guard-operators.ts'
import type { OpenAnswers } from '#people/operators/open-answers.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { ANSWER_HEADERS } from '#platform/http/security-headers.ts'

/** Who may hear of it: whoever may see it. */
const MAY: Readonly<Record<LiveKind, Permission>> = {
  payment: 'payments.see',
  order: 'payments.see',
  refund: 'payments.see',
  conversation: 'conversations.see',
  node: 'nodes.see',
  withdrawal: 'withdrawals.see',
  incident: 'incidents.see',
}

/** A proxy ends what is silent for a minute. */
const BEAT_MS = 25_000
/** Whoever reads slower than that is cut off, and begins anew. */
const MOST_UNREAD_BYTES = 64 * 1024
const MOST_STREAMS = 500
const MOST_OF_ONE = 8

const HEADERS = {
  ...ANSWER_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
}

/** Properly, or the browser reports a fault to whoever logs out. Who has not read what is there hears no more of it. */
const endStream = (stream: ServerResponse): void => {
  if (stream.headersSent && stream.writableLength === 0) stream.end()
  else stream.destroy()
}

/** Streams that are open, by whose they are. */
const createStreams = () => {
  const open = new Map<ServerResponse, string>()
  const countOf = (operatorId: string) => [...open.values()].filter((id) => id === operatorId).length
  return {
    isFullFor: (operatorId: string) => open.size >= MOST_STREAMS || countOf(operatorId) >= MOST_OF_ONE,
    add: (stream: ServerResponse, operatorId: string) => {
      open.set(stream, operatorId)
      stream.once('close', () => open.delete(stream))
    },
    endAll: () => {
      for (const stream of open.keys()) endStream(stream)
    },
  }
}

/**
 * What changes, as it changes. A stream ends with the session that it was opened in, when notices of the database may have
 * been missed (the page that comes back reads everything again), and when the process stops.
 */
export const liveRoutes = (
  app: FastifyInstance,
  deps: With<'db' | 'log'> & { liveEvents: LiveEvents; openAnswers: OpenAnswers },
): void => {
  const streams = createStreams()
  // Open streams would hold the stop for as long as consoles are open.
  app.addHook('preClose', async () => streams.endAll())

  const follow = (stream: ServerResponse, operator: OperatorCaller) => {
    const write = (text: string) => {
      if (stream.destroyed || stream.writableEnded) return
      stream.write(text)
      if (stream.writableLength > MOST_UNREAD_BYTES) stream.destroy()
    }
    const stopHearing = deps.liveEvents.listen((event) => {
      if (operator.permissions.has(MAY[event.kind])) write(`data: ${JSON.stringify(event)}\n\n`)
    })
    let end: NodeJS.Timeout | undefined
    const look = () =>
      secondsIn(deps, operator).then(
        (seconds) => {
          clearTimeout(end)
          if (seconds === undefined) endStream(stream)
          else if (!stream.closed && seconds * 1000 < BEAT_MS) end = setTimeout(look, seconds * 1000 + 1)
        },
        () => undefined,
      )
    const beat = setInterval(() => {
      write(': here\n\n')
      void look()
    }, BEAT_MS)
    stream.once('close', () => {
      clearInterval(beat)
      clearTimeout(end)
      stopHearing()
    })
    write('retry: 3000\n\n')
  }

  implementForOperators(app, deps, live, async ({ operator }, reply) => {
    if (streams.isFullFor(operator.id)) throw new Problem('too-many-requests', { retryAfterSeconds: 60 })
    const stream = reply.raw
    streams.add(stream, operator.id)
    if (!(await holdAnswer(deps, reply, operator, () => endStream(stream))))
      throw new Problem('operator-not-signed-in')
    reply.hijack()
    stream.writeHead(200, HEADERS)
    follow(stream, operator)
    return reply
  })
}
