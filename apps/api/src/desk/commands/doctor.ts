import { type Command, InvalidArgumentError } from 'commander'
import { type Found, runChecks } from '#care/doctor/run-checks.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { pagesFolder } from '#platform/http/files/pages-folder.ts'
import { readSettings } from '#platform/settings.ts'

const readAddress = (text: string): string => {
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text)) throw new InvalidArgumentError('Expected one email address.')
  return text
}

const sayFound = (found: readonly Found[]): void => {
  sayTable(
    ['check', '', 'what was seen'],
    found.map(({ check, state, says }) => [check, state, says]),
  )
  const toDo = found.filter(({ act }) => act !== undefined)
  say('')
  if (toDo.length === 0) say('Nothing is wrong.')
  else
    sayTable(
      ['what to do', ''],
      toDo.map(({ check, act = '' }) => [check, act]),
    )
}

type Options = { mailTo?: string; json?: true }

const run = async ({ mailTo, json }: Options): Promise<void> => {
  const settings = readSettings(toolRun().env, false)
  const found = await withDatabase(async (db) => {
    const found = await runChecks({
      settings,
      db,
      storefrontDir: pagesFolder('storefront', settings),
      mailTo,
    })
    const hasProblem = found.some(({ state }) => state === 'problem')
    if (json) sayJson({ isWell: !hasProblem, found })
    else sayFound(found)
    toolRun().exitCode = hasProblem ? 1 : 0
    return found
  })
  // What hangs would keep the program.
  if (found.some(({ says }) => says.startsWith('no answer within'))) process.exit()
}

export const addDoctor = (program: Command): void => {
  reads(program.command('doctor'))
    .summary('look at everything that a shop needs, before and while it sells')
    .description(
      'Look at keys, settings, pages, database, backup, mail server, gateway, proxy, certificate, disk and nodes, and say what to do. It changes nothing; with --mail-to it sends one mail. Exit code 1: there is a problem.',
    )
    .option('--mail-to <email>', 'send a mail to this address', readAddress)
    .addOption(JSON_OPTION)
    .action(run)
}
