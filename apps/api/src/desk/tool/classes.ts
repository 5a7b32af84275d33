import type { Consequence } from '@hedgerow/domain/consequences'
import type { Command } from 'commander'

/**
 * 'changes': it changes something. 'opens': it shows whose something is, or what a person has told us. Both are recorded.
 * 'reads': neither, except where it is asked for one person by `--email` or `--customer`, which is recorded too.
 */
export type CommandClass = 'changes' | 'opens' | 'reads' | 'itself'

const classes = new WeakMap<Command, CommandClass>()

const classed =
  (kind: CommandClass) =>
  (command: Command): Command => {
    classes.set(command, kind)
    return command
  }

const consequences = new WeakMap<Command, Consequence>()

/** It says what it brings about, as a call of the contract does. The tool asks for no proof: who has its shell has the database. */
export const changes = (command: Command, consequence: Exclude<Consequence, 'looks' | 'opens'>): Command => {
  consequences.set(command, consequence)
  return classed('changes')(command)
}
export const consequenceOf = (command: Command): Consequence | undefined => consequences.get(command)
export const opens = classed('opens')
export const reads = classed('reads')
/** A call of the operators' contract: it says there how it is recorded. */
export const recordsItself = classed('itself')

export const classOf = (command: Command): CommandClass | undefined => classes.get(command)
