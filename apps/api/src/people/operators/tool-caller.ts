import { PERMISSIONS } from '@hedgerow/domain/operator-roles'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'

const NEVER = new Date(8.64e15)

/**
 * Who calls by the tool: anyone who can read the database's password may do all. `shell` is who is logged in there;
 * `operator` whom they act for, where what is written names an operator.
 */
export const toolCaller = (shell: string, operator?: { id: string; name: string }): OperatorCaller => ({
  by: 'shell',
  shell,
  id: operator?.id ?? '',
  name: operator?.name ?? shell,
  role: 'owner',
  permissions: new Set(PERMISSIONS),
  endsAt: NEVER,
})
