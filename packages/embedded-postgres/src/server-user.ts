import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root, so root lends it another user. */
export type ServerUser = { uid: number; gid: number }

const EXECUTE_BY_OTHERS = 0o001

const userNamed = (name: string): ServerUser | undefined => {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** Undefined when this process is not root: then the server runs as the user of this process. */
export const serverUser = (): ServerUser | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const user = userNamed('postgres') ?? userNamed('nobody')
  if (!user) throw new Error('PostgreSQL must not run as root, and neither user postgres nor nobody exists.')
  return user
}

const canBeEnteredByOthers = (path: string): boolean => {
  const isOpen = (statSync(path).mode & EXECUTE_BY_OTHERS) !== 0
  return isOpen && (path === dirname(path) || canBeEnteredByOthers(dirname(path)))
}

/** Whether the server's user can reach what is in a folder; anyone but root's stand-in can reach their own. */
export const canReach = (user: ServerUser | undefined, folder: string): boolean =>
  user === undefined || canBeEnteredByOthers(folder)

/**
 * Runs a PostgreSQL program as the server's user.
 * Data below a folder that only root may enter (a temporary clone, /root) is out of that user's reach; there the program
 * keeps the one capability to read and enter folders, and nothing else of root.
 */
export const runAs = async (
  user: ServerUser | undefined,
  program: string,
  args: string[],
  dataDir: string,
): Promise<void> => {
  const options = { cwd: '/', maxBuffer: 1 << 20 }
  if (!user) {
    await run(program, args, options)
  } else if (canReach(user, dirname(dataDir))) {
    await run(program, args, { ...options, uid: user.uid, gid: user.gid })
  } else {
    const capability = '+dac_read_search'
    const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
    const kept = [`--inh-caps=${capability}`, `--ambient-caps=${capability}`]
    await run('setpriv', [...identity, ...kept, program, ...args], options)
  }
}

export const giveTo = async (user: ServerUser | undefined, path: string): Promise<void> => {
  if (user) await chown(path, user.uid, user.gid)
}
