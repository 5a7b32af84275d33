import { existsSync } from 'node:fs'

/** Of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv'
const ONLY = '-all,+net_bind_service'

type Command = [program: string, ...args: string[]]

/**
 * Returns the command that runs this one without the agent's right to change the network: it keeps the right to listen
 * on low ports. Root gets all rights back with each program that it starts, unless they are out of reach for good.
 * Perhaps it gets SIGTERM when the agent has ended, however that came.
 */
export const withoutRights = (command: Command, endsWithAgent: boolean): Command => {
  if (!existsSync(SETPRIV)) return command
  return [
    SETPRIV,
    '--no-new-privs',
    `--inh-caps=${ONLY}`,
    `--ambient-caps=${ONLY}`,
    ...(process.getuid?.() === 0 ? [`--bounding-set=${ONLY}`] : []),
    ...(endsWithAgent ? ['--pdeathsig=TERM'] : []),
    ...command,
  ]
}
