/** PostgreSQL's classes for a connection that failed, a server that lacks something, stops or starts, or takes no changes. */
const CODES = /^(?:08|53|57P|58|25006$)/

/** What the network says of a server that cannot be reached. */
const NETWORK = /^(?:ECONN|EHOST|ENET|ENOTFOUND$|EAI_|ETIMEDOUT$|EPIPE$)/

/** The driver's own words, which have no code. */
const WORDS = /^Connection terminated|not queryable$|^timeout (?:expired$|exceeded when)|^Query read timeout$/

/** The database is away or going away, or this is not the server that takes changes: it may be back in a moment. */
export const isDatabaseAway = (error: unknown): boolean => {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  return typeof code === 'string' ? CODES.test(code) || NETWORK.test(code) : WORDS.test(message)
}

const READ_ONLY = '25006'

/** A server that only follows another, or takes no changes for a while. What is written there is refused. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === READ_ONLY

export const readOnlyServer = (): Error =>
  Object.assign(new Error('the database server that was reached takes no changes'), { code: READ_ONLY })

/** The server has no room to write: it answers, and nobody can buy. */
export const isDiskFull = (error: unknown): boolean => (error as { code?: unknown }).code === '53100'
