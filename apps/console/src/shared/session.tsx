import type { OperatorSession } from '@hedgerow/contract/console/session'
import type { Permission } from '@hedgerow/domain/operator-roles'
import { createContext, type ReactNode, useContext } from 'react'

const SessionContext = createContext<OperatorSession | undefined>(undefined)

type SessionProviderProps = { session: OperatorSession; children: ReactNode }

export const SessionProvider = ({ session, children }: SessionProviderProps) => (
  <SessionContext value={session}>{children}</SessionContext>
)

export const useSession = (): OperatorSession => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session')
  return session
}

/** Whether the operator has a right: what they may not do is not offered. */
export const useMay = (): ((permission: Permission | undefined) => boolean) => {
  const { permissions } = useSession().operator
  return (permission) => permission === undefined || permissions.includes(permission)
}
