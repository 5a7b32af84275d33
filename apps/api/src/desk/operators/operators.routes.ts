import * as operators from '@hedgerow/contract/console/operators'
import { isoOrNull } from '@hedgerow/domain/dates'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import {
  endOperator,
  type InvitedOperator,
  inviteOperator,
  listOperatorRows,
  relinkOperator,
  setOperatorRole,
} from '#people/operators/operators.service.ts'
import type { With } from '#platform/dependencies.ts'

const presentLink = ({ id, link, expiresAt }: InvitedOperator) => ({
  id,
  link,
  expiresAt: expiresAt.toISOString(),
})

/** Who runs the shop: owners invite, change and end them. */
export const operatorsRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db' | 'settings'>): void => {
  implementForOperators(app, deps, operators.listOperators, async () =>
    (await listOperatorRows(deps.db)).map((row) => ({
      id: row.id,
      name: row.name,
      role: row.role,
      createdAt: row.created_at.toISOString(),
      endedAt: isoOrNull(row.ended_at),
      lastSeenAt: isoOrNull(row.last_seen_at),
      passkeys: Number(row.passkeys),
      hasPassword: row.has_password,
      sessions: Number(row.sessions),
      tokens: Number(row.tokens),
      invitedUntil: isoOrNull(row.invited_until),
    })),
  )

  implementForOperators(app, deps, operators.inviteOperator, async ({ body, operator, recordSubject }) => {
    const invited = await inviteOperator(deps, body, operator)
    recordSubject(invited.id)
    return presentLink(invited)
  })

  implementForOperators(app, deps, operators.relinkOperator, async ({ params, operator }) =>
    presentLink(await relinkOperator(deps, params.operatorId, operator)),
  )

  implementForOperators(app, deps, operators.setOperatorRole, async ({ params, body, operator }) => {
    await setOperatorRole(deps, params.operatorId, body.role, operator)
    return {}
  })

  implementForOperators(app, deps, operators.endOperator, async ({ params, operator }) => {
    await endOperator(deps, params.operatorId, operator)
    return {}
  })
}
