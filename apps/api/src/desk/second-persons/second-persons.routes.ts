import { randomUUID } from 'node:crypto'
import * as contract from '@hedgerow/contract/console/second-persons'
import type { Permission } from '@hedgerow/domain/operator-roles'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { LocalCalls } from '#desk/console/local-calls.ts'
import { operatorsRoutes } from '#desk/operators/operators.routes.ts'
import { paymentsRoutes } from '#desk/payments/payments.routes.ts'
import { settingsRoutes } from '#desk/settings/settings.routes.ts'
import { unknownPaymentsRoutes } from '#desk/unknown-payments/unknown-payments.routes.ts'
import { batchesRoutes } from '#desk/withdrawals/batches.routes.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import {
  confirm,
  endAsked,
  isAskerAlone,
  isDone,
  listWaiting,
  withdraw,
} from '#people/operators/second-person.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = Parameters<typeof paymentsRoutes>[1] &
  Parameters<typeof settingsRoutes>[1] &
  Parameters<typeof unknownPaymentsRoutes>[1] &
  Parameters<typeof batchesRoutes>[1]

/** All acts that may have to be confirmed, as the one who asked for one. */
const callsAs = (caller: OperatorCaller, deps: Deps): LocalCalls => {
  const calls = new LocalCalls(caller)
  operatorsRoutes(calls, deps)
  paymentsRoutes(calls, deps)
  settingsRoutes(calls, deps)
  unknownPaymentsRoutes(calls, deps)
  batchesRoutes(calls, deps)
  return calls
}

const linkIn = (answer: unknown): string | null =>
  typeof answer === 'object' && answer !== null && 'link' in answer && typeof answer.link === 'string'
    ? answer.link
    : null

export const secondPersonsList = (app: FastifyInstance | LocalCalls, deps: With<'db'>): void =>
  implementForOperators(app, deps, contract.listSecondPersons, async ({ operator }) =>
    Promise.all(
      // A shell is no operator.
      (await listWaiting(deps.db, operator.id || randomUUID())).map(async (row) => {
        const isMine = row.operator_id === operator.id
        const isAlone = await isAskerAlone(deps, row)
        const isOpen = isMine ? isAlone && row.alone_from <= new Date() : !row.is_let_in
        return {
          id: row.id,
          askedAt: row.asked_at.toISOString(),
          asker: row.asker,
          what: row.command,
          facts: row.facts,
          expiresAt: row.expires_at.toISOString(),
          isMine,
          mayConfirm: isOpen && operator.permissions.has(row.permission as Permission),
          aloneFrom: isAlone ? row.alone_from.toISOString() : null,
        }
      }),
    ),
  )

/** What takes two people: what waits, and the second person's word. */
export const secondPersonsRoutes = (app: FastifyInstance, deps: Deps): void => {
  secondPersonsList(app, deps)

  implementForOperators(app, deps, contract.confirmSecondPerson, async ({ params, operator }) => {
    const id = params.secondPersonId
    const confirmed = await confirm(deps, id, operator)
    if (!confirmed) return { isNew: false, link: null }
    const { call, sent, as } = confirmed
    try {
      const answer = await callsAs(as, deps).callBy(call, sent)
      // Where it takes no second person any more, nothing has used it up.
      await endAsked(deps.db, id, 'done')
      return { isNew: (answer as { isNew?: boolean }).isNew !== false, link: linkIn(answer) }
    } catch (error) {
      // Of two who confirm at once, one has done it.
      if (await isDone(deps, id)) return { isNew: false, link: null }
      if (error instanceof Problem) await endAsked(deps.db, id, 'changed')
      throw error
    }
  })

  implementForOperators(app, deps, contract.withdrawSecondPerson, async ({ params, operator }) => {
    await withdraw(deps, params.secondPersonId, operator)
    return {}
  })
}
