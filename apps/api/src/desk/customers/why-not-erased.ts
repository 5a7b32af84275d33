import type { Problem } from '#platform/http/problems.ts'

/** Why an account cannot be erased now, for operators: it is said to customers otherwise. */
export const whyNotErased = (error: Problem): string => {
  if (error.kind === 'account-pays') return 'A payment of this account is under way. Wait until it has ended.'
  if (error.kind === 'account-disputes')
    return 'A payment of this account is disputed. Wait until that is decided.'
  if (error.kind === 'account-withdraws')
    return 'A withdrawal of this account is waiting. First mark it as paid, or refuse it.'
  if (error.kind === 'account-lacks-invoice')
    return 'An invoice of this account cannot be issued. First remove the cause.'
  return error.kind === 'not-signed-in' ? 'The account was already erased.' : error.message
}
