import { hostname, userInfo } from 'node:os'
import { isPaymentId, isUuid } from '@hedgerow/domain/ids'
import type { Command } from 'commander'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { classOf } from '#desk/tool/classes.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { type Intent, recordIntent } from '#people/operators/operator-actions.ts'
import type { Db } from '#platform/database/client.ts'
import type { Outcome, RecordedArguments } from '#platform/database/tables/operators.table.ts'
import { Problem } from '#platform/http/problems.ts'

/** Free text, names of files and what else may name a person, and what is no part of the deed. */
const LEFT_OUT = new Set(['text', 'note', 'reason', 'reference', 'file', 'archive', 'out', 'columns', 'json'])
/** What was looked for, or says whose account it is, may be a name: only ids are kept, and e-mails, as ids. */
const LOOKED_FOR = new Set(['words', 'who', 'partner', 'customer', 'customerId', 'email'])
/** Ids are looked for as the database writes them. */
const sameId = (text: string) => (isUuid(text) ? text.toLowerCase() : text)
const isId = (text: string) => isUuid(text) || isPaymentId(text)
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

/** Has the parser tell what was typed for the options of a command, and of those below it. */
export const keepTyped = (command: Command): void => {
  for (const option of command.options)
    command.on(`option:${option.name()}`, (text?: string) => {
      if (text !== undefined) toolRun().typed.set(option.attributeName(), text)
    })
  for (const one of command.commands) keepTyped(one)
}

/** Takes note of the command that is run, with all that was typed. */
export const noteCommand = (_: Command, command: Command): void => {
  toolRun().command = command
}

/** What the command turned out to act on, where its arguments do not say it: the id of what it made. */
export const recordSubject = (id: string): void => {
  toolRun().subject = id
}

export const pathOf = (command: Command): string => {
  const { parent } = command
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name()
}

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number that nobody has named.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

const LONGEST_NAME = 100

export const whoActs = ({ HEDGEROW_OPERATOR, SUDO_USER }: NodeJS.ProcessEnv): string => {
  const name = HEDGEROW_OPERATOR?.trim() || SUDO_USER || userName()
  return `${name.replace(/\p{C}/gu, '').slice(0, LONGEST_NAME)}@${hostname().slice(0, LONGEST_NAME - 1)}`
}

const mayKeep = (name: string, text: unknown) =>
  !LEFT_OUT.has(name) && (!LOOKED_FOR.has(name) || isId(String(text)) || isEmail(String(text)))

/** What is called otherwise than by its id, or only by the beginning of it: the command tells the id. The first subject stays. */
const IS_TOLD_LATER = new Set(['conversation', 'title'])

const subjectOf = (name: string, text: unknown): string | undefined => {
  if (text === undefined || !mayKeep(name, text)) return undefined
  return IS_TOLD_LATER.has(name) && !isId(String(text)) ? undefined : sameId(String(text))
}

const intentOf = (command: Command): Intent => {
  const typed = command.registeredArguments.map(
    (argument, at) => [argument.name(), command.args[at]] as const,
  )
  const options = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => [name, toolRun().typed.get(name) ?? Boolean(command.getOptionValue(name))] as const)
  const given: RecordedArguments = Object.fromEntries(
    [...typed, ...options].flatMap(([name, value]) =>
      value !== undefined && mayKeep(name, value) ? [[name, value]] : [],
    ),
  )
  const [[name, subject] = ['customer', given.customer ?? given.customerId ?? given.email]] = typed
  return {
    who: whoActs(toolRun().env),
    command: pathOf(command),
    arguments: given,
    subject: subjectOf(name, subject),
  }
}

const outcomeOf = (error: unknown): Outcome =>
  [Refusal, Problem, BackupFault].some((kind) => error instanceof kind) ? 'refused' : 'failed'

/** What only reads opens the data of a person all the same where it is asked for one. */
const isForOnePerson = (command: Command) =>
  ['email', 'customerId'].some((option) => command.getOptionValueSource(option) === 'cli')

/**
 * Does what a command does, and records before that it is about to be done and afterwards what came of it. A command of no
 * class is recorded too; one that only reads is not, unless it is asked for one person.
 */
export const recorded = async <T>(db: Db, act: () => Promise<T>): Promise<T> => {
  const { command } = toolRun()
  if (!command || classOf(command) === 'itself' || (classOf(command) === 'reads' && !isForOnePerson(command)))
    return act()
  const end = await recordIntent({ db }, intentOf(command))
  let result: T
  try {
    result = await act()
  } catch (error) {
    await end(outcomeOf(error), toolRun().subject).catch(() => undefined)
    throw error
  }
  await end('done', toolRun().subject)
  return result
}
