import { formatDateTime } from '@hedgerow/domain/dates'
import { OPERATOR_ROLES, type OperatorRole, ROLE_WORDS } from '@hedgerow/domain/operator-roles'
import { Argument, type Command, Option } from 'commander'
import { recordSubject } from '#desk/tool/acting.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readLine, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import {
  endOperator,
  findActiveByName,
  type InvitedOperator,
  inviteOperator,
  listOperatorRows,
  relinkOperator,
  setOperatorRole,
} from '#people/operators/operators.service.ts'
import type { Db } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'
import { readConsoleUrl } from '#platform/settings.ts'

type Options = { yes?: true; json?: true }

/** What the services refuse is for the operator to read. */
const refusing = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    throw error instanceof Problem ? new Refusal(error.message) : error
  }
}

const operatorWith = async (db: Db, name: string) => {
  const operator = await findActiveByName(db, name)
  if (!operator) throw new Refusal(`There is no operator ${name}. To list them: operator list`)
  recordSubject(operator.id)
  return operator
}

const tellLink = (name: string, { link, expiresAt }: InvitedOperator, json: true | undefined) => {
  if (json) return sayJson({ name, link, expiresAt: expiresAt.toISOString() })
  say(`A link for ${name}, which works once, until ${formatDateTime(expiresAt)}. Give it to nobody else:`)
  say(link)
}

const invite = (name: string, { role, json }: Options & { role: OperatorRole }) => {
  const settings = readConsoleUrl(toolRun().env)
  return withDatabase(async (db) => {
    const invited = await refusing(() => inviteOperator({ db, settings }, { name, role }))
    recordSubject(invited.id)
    tellLink(name, invited, json)
  })
}

const relink = (name: string, { yes, json }: Options) => {
  const settings = readConsoleUrl(toolRun().env)
  return withDatabase(async (db) => {
    const { id } = await operatorWith(db, name)
    await ask(`Give ${name} a new link? Passkeys, password, sessions and tokens of theirs end at once.`, yes)
    tellLink(name, await refusing(() => relinkOperator({ db, settings }, id, { isByTool: true })), json)
  })
}

const setRole = (name: string, role: OperatorRole) =>
  withDatabase(async (db) => {
    const { id } = await operatorWith(db, name)
    await refusing(() => setOperatorRole({ db }, id, role))
    say(`${name}: ${ROLE_WORDS[role]}, from the next call on.`)
  })

const end = (name: string, { yes }: Options) =>
  withDatabase(async (db) => {
    const { id } = await operatorWith(db, name)
    await ask(`End ${name}? They get in no more. Their name stays in the record.`, yes)
    await refusing(() => endOperator({ db }, id))
    say(`${name} gets in no more.`)
  })

const list = ({ json }: Options) =>
  withDatabase(async (db) => {
    const rows = await listOperatorRows(db)
    if (json)
      return sayJson(
        rows.map(({ id, name, role, ended_at, last_seen_at }) => ({
          id,
          name,
          role,
          endedAt: ended_at?.toISOString() ?? null,
          lastSeenAt: last_seen_at?.toISOString() ?? null,
        })),
      )
    if (rows.length === 0) return say('There are no operators yet. To begin: operator invite --help')
    sayTable(
      ['name', 'role', 'gets in by', 'last seen'],
      rows.map(({ name, role, ended_at, passkeys, has_password, last_seen_at }) => [
        name,
        ROLE_WORDS[role],
        ended_at
          ? 'ended'
          : [
              ...(Number(passkeys) > 0 ? ['passkey'] : []),
              ...(has_password ? ['password and app'] : []),
            ].join(', ') || 'nothing yet',
        last_seen_at ? formatDateTime(last_seen_at) : '',
      ]),
    )
  })

const NAME = 'their name, as the record shows it'

export const addOperator = (program: Command): void => {
  const operator = program
    .command('operator')
    .description('Who runs the shop in a browser.')
    .summary('who runs the shop in a browser')
  changes(operator.command('invite'))
    .description('Invite somebody to the console. Prints a link by which they set up how they get in, once.')
    .argument('<name>', NAME, (text: string) => readLine(text))
    .addOption(new Option('--role <role>', 'what they may do').choices(OPERATOR_ROLES).makeOptionMandatory())
    .addOption(JSON_OPTION)
    .action(invite)
  reads(operator.command('list'))
    .description('Everybody who runs the shop in a browser, or did.')
    .addOption(JSON_OPTION)
    .action(list)
  changes(operator.command('link'))
    .description('A new link for somebody who has lost what they get in by. All they had ends at once.')
    .argument('<name>', NAME)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(relink)
  changes(operator.command('role'))
    .description('Give somebody another role.')
    .argument('<name>', NAME)
    .addArgument(new Argument('<role>', 'what they may do').choices(OPERATOR_ROLES))
    .action(setRole)
  changes(operator.command('end'))
    .description('Let somebody in no more. Their name stays in the record.')
    .argument('<name>', NAME)
    .addOption(YES_OPTION)
    .action(end)
}
