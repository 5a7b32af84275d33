import { randomUUID } from 'node:crypto'
import { CSRF_COOKIE, CSRF_HEADER } from '@hedgerow/contract/csrf'
import type { OperatorRole } from '@hedgerow/domain/operator-roles'
import { type Call, type CallOptions, callerOf, type Reply } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { OPERATOR_COOKIE } from '#people/operators/guard-operators.ts'
import { insertSession } from '#people/operators/operator-sessions.queries.ts'
import { newToken } from '#platform/crypto/tokens.ts'
import type { Db } from '#platform/database/client.ts'
import { type ShopOptions, shopOfFile, type TestShop } from '#testing/test-shop.ts'

export type TestOperator = { id: string; name: string; role: OperatorRole; session: string }

const CSRF = 'c'.repeat(32)

/** An operator who has just logged in. */
export const anOperator = async (db: Db, role: OperatorRole = 'owner'): Promise<TestOperator> => {
  const id = randomUUID()
  const name = `${role} ${id.slice(0, 8)}`
  await db.insertInto('operators').values({ id, name, role }).execute()
  const session = newToken()
  await insertSession(db, id, session, { browser: null, network: null })
  return { id, name, role, session }
}

/** The headers with which the console's page calls in an operator's session. */
export const headersOf = ({ session }: Pick<TestOperator, 'session'>): Record<string, string> => ({
  cookie: `${OPERATOR_COOKIE}=${session}; ${CSRF_COOKIE}=${CSRF}`,
  [CSRF_HEADER]: CSRF,
})

export type ConsoleCall = (
  operator: Pick<TestOperator, 'session'> | undefined,
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Reply>

export type TestConsole = {
  shop: TestShop
  consoleUrl: string
  /** Calls the operators' listener as an operator; without a log-in where there is none. */
  ask: ConsoleCall
}

/** A call of the operators' listener at an address. */
export const consoleCallOf = (url: string): ConsoleCall => {
  const call: Call = callerOf(url)
  return (operator, method, path, options = {}) =>
    call(method, path, {
      ...options,
      headers: { ...(operator ? headersOf(operator) : {}), ...options.headers },
    })
}

/** A shop with its console, for all tests of a file. */
export const consoleOfFile = async ({ env, ...options }: ShopOptions = {}): Promise<TestConsole> => {
  const port = await freePort()
  const consoleUrl = `http://127.0.0.1:${port}`
  const shop = shopOfFile({ ...options, env: { CONSOLE_PORT: String(port), ...env } })
  return { shop, consoleUrl, ask: consoleCallOf(consoleUrl) }
}
