import type { OperatorEndpoint, RecordedAs } from '@hedgerow/contract/console/operator-endpoint'
import { isUuid } from '@hedgerow/domain/ids'
import { maskSearch } from '@hedgerow/domain/masked'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LocalCalls } from '#desk/console/local-calls.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import { type Intent, recordIntent } from '#people/operators/operator-actions.ts'
import { askSecondPerson, NeedsSecondPerson } from '#people/operators/second-person.ts'
import type { RecordedArguments } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { implement, type RequestOf } from '#platform/http/implement.ts'
import { Problem } from '#platform/http/problems.ts'
import { runAs, workContext } from '#platform/instrumentation/work-context.ts'

type Recorded = {
  /** What the call turned out to act on, where its parameters do not say it: the id of what it made. */
  recordSubject: (id: string) => void
}

type OperatorRequest<E extends OperatorEndpoint> = RequestOf<E> & Recorded
type Answer<E extends OperatorEndpoint> = ReturnType<Parameters<typeof implement<E>>[2]>
type Handler<E extends OperatorEndpoint> = (request: OperatorRequest<E>, reply: FastifyReply) => Answer<E>

type Parts = { params: unknown; query: unknown; body: unknown }

/**
 * Of what was sent only what the endpoint reads, and the address before all else: whoever adds a `paymentId` to the query
 * would have the record name another payment than the one that was acted on.
 */
const fieldsOf = (
  { schema }: Pick<OperatorEndpoint, 'schema'>,
  { params, query, body }: Parts,
): ReadonlyMap<string, unknown> => {
  const read = ['querystring' in schema && query, 'body' in schema && body, 'params' in schema && params]
  return new Map(read.flatMap((part) => Object.entries((part || {}) as object)))
}

const whoIs = (operator: OperatorCaller): string => {
  if (operator.by === 'shell') return operator.shell
  if (operator.by === 'confirmed') return `${operator.name}@console with ${operator.confirmedBy.name}`
  return operator.by === 'token' ? `${operator.name}@token ${operator.tokenName}` : `${operator.name}@console`
}

const kept = (value: unknown): RecordedArguments[string] | undefined => {
  if (typeof value === 'boolean' || typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

const intentOf = (
  operator: OperatorCaller,
  record: Exclude<RecordedAs, 'reads'>,
  fields: ReadonlyMap<string, unknown>,
): Intent => {
  const { subject, keeps = [], masks = [] } = record
  const names = subject === undefined ? keeps : [subject, ...keeps]
  const given = names.flatMap((name) => {
    const value = kept(fields.get(name))
    return value === undefined ? [] : [[name, value] as const]
  })
  const masked = masks.map((name) => [name, maskSearch(String(fields.get(name)))] as const)
  const about = subject === undefined ? undefined : kept(fields.get(subject))
  return {
    who: whoIs(operator),
    command: 'changes' in record ? record.changes : record.opens,
    arguments: Object.fromEntries([...given, ...masked]),
    subject: typeof about === 'string' && isUuid(about) ? about.toLowerCase() : about?.toString(),
  }
}

/** What stood there already was not done again, and the record does not say that it was. */
const isUnchanged = (answer: unknown): boolean => {
  const { isNew, isChanged = isNew } = (answer ?? {}) as { isNew?: boolean; isChanged?: boolean }
  return isChanged === false
}

/**
 * Adds an endpoint for operators: what changes something or opens a person's data is recorded before it is done, and
 * afterwards what came of it, as the operator's tool does it.
 */
export const implementForOperators = <E extends OperatorEndpoint>(
  app: FastifyInstance | LocalCalls,
  deps: With<'db'>,
  endpoint: E,
  handler: Handler<E>,
): void => {
  const { permission, consequence, record, isDownload = false } = endpoint
  const handle = async (request: RequestOf<E>, reply: FastifyReply) => {
    let subject: string | undefined
    const asked = Object.assign(request, {
      recordSubject: (id: string) => {
        subject = id
      },
    }) as OperatorRequest<E>
    const act = () => {
      const context = workContext()
      return context
        ? runAs({ ...context, isOperator: true }, () => handler(asked, reply))
        : handler(asked, reply)
    }
    if (record === 'reads') return act()
    const { operator } = request as unknown as { operator: OperatorCaller }
    const end = await recordIntent(deps, intentOf(operator, record, fieldsOf(endpoint, request as Parts)))
    try {
      const answer = await act()
      await end(isUnchanged(answer) ? 'refused' : 'done', subject)
      return answer
    } catch (error) {
      const isRefused = error instanceof Problem || error instanceof NeedsSecondPerson
      await end(isRefused ? 'refused' : 'failed', subject).catch(() => undefined)
      if (error instanceof NeedsSecondPerson)
        return askSecondPerson(deps, operator, endpoint, request as Parts, error)
      throw error
    }
  }
  if (app instanceof LocalCalls) {
    app.add(endpoint, handle as never)
    return
  }
  implement(app, endpoint, handle as Parameters<typeof implement<E>>[2], {
    config: { permission, consequence, isDownload },
  })
}
