import { ArchiveFault, isVersion, LARGEST_ARCHIVE } from '@hedgerow/agent-release/release'
import { formatDateTime } from '@hedgerow/domain/dates'
import { type Command, InvalidArgumentError } from 'commander'
import { presentUpgrade, upgradeText } from '#desk/nodes/nodes.present.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { nodeNamed } from '#desk/tool/find-node.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { storeArchive } from '#network/agents/agent-archives.ts'
import {
  listUpgrades,
  type Planned,
  planUpgrades,
  stopOpenUpgrades,
  type Target,
} from '#network/agents/upgrades.service.ts'
import { listNodeReports, type NodeFacts } from '#network/nodes/nodes.service.ts'
import type { Db } from '#platform/database/client.ts'
import { readAgentReleaseKey } from '#platform/settings.ts'

/** One for each architecture. */
const MOST_ARCHIVES = 2
const LONGEST_SIGNATURE = 1024
const LISTED = 30

type Options = { all?: true; archive?: string[]; to?: string; back?: true; stop?: true; json?: true }

const readVersion = (text: string): string => {
  if (!isVersion(text)) throw new InvalidArgumentError('A version is written like 1.2.0.')
  return text
}

const readArchive = (text: string, others: readonly string[] = []): string[] => {
  if (others.length >= MOST_ARCHIVES) throw new InvalidArgumentError('At most 2 archives can be given.')
  return [...others, text]
}

const store = async (db: Db, file: string): Promise<{ version: string; arch: string; isNew: boolean }> => {
  const archive = await readNamedFile(file, LARGEST_ARCHIVE)
  const signature = (await readNamedFile(`${file}.sig`, LONGEST_SIGNATURE)).toString('utf8').trim()
  const releaseKey = readAgentReleaseKey(toolRun().env)
  try {
    const { release, isNew } = await storeArchive({ db }, { archive, signature, releaseKey })
    return { version: release.version, arch: release.arch, isNew }
  } catch (error) {
    throw error instanceof ArchiveFault ? new Refusal(`${file} cannot be used: ${error.message}.`) : error
  }
}

const storeAll = async (
  db: Db,
  files: readonly string[],
  json: boolean | undefined,
): Promise<string | undefined> => {
  const stored: { version: string; arch: string; isNew: boolean }[] = []
  for (const file of files) stored.push(await store(db, file))
  const versions = [...new Set(stored.map(({ version }) => version))]
  if (versions.length > 1)
    throw new Refusal(`These archives are of different versions: ${versions.join(', ')}.`)
  if (!json)
    for (const { version, arch, isNew } of stored)
      say(`${version} for ${arch} is ${isNew ? 'stored' : 'stored already'}.`)
  return versions[0]
}

const tell = ({ begun, left }: Planned): void => {
  for (const { name, why } of left) say(`${name} is left out: it ${why}.`)
  if (begun.length > 1) say(`${begun.length} nodes get their turn one after the other: ${begun.join(', ')}.`)
  say(`${begun[0]} is the first. To see how it goes: node upgrades`)
}

const isAtTarget = (row: NodeFacts, version: string | undefined) =>
  version !== undefined && row.agent_version === version

const begin = async (db: Db, name: string | undefined, options: Options): Promise<void> => {
  const stored = await storeAll(db, options.archive ?? [], options.json)
  const version = options.to ?? stored
  if (options.to && stored && options.to !== stored)
    throw new Refusal(`The archive is of ${stored}, not of ${options.to}.`)
  const nodes =
    name === undefined
      ? (await listNodeReports({ db })).filter((row) => row.has_agent && !isAtTarget(row, version))
      : [await nodeNamed(db, name)]
  if (nodes.length === 0) throw new Refusal('There is no node to upgrade. To list them: node list')
  const target: Target = options.back ? 'back' : { version }
  const planned = await planUpgrades({ db }, nodes, target)
  if (planned.begun.length === 0)
    throw new Refusal(planned.left.map(({ name, why }) => `${name} ${why}.`).join('\n'))
  if (options.json) sayJson(planned)
  else tell(planned)
}

const stop = async (db: Db, name: string | undefined, json: boolean | undefined): Promise<void> => {
  const node = name === undefined ? undefined : await nodeNamed(db, name)
  const stopped = await stopOpenUpgrades({ db }, node?.id)
  if (json) return sayJson({ stopped })
  say(
    stopped === 0
      ? 'There is nothing to stop. What is being installed comes to its end by itself.'
      : `${stopped === 1 ? '1 upgrade is' : `${stopped} upgrades are`} stopped. What is being installed comes to its end by itself.`,
  )
}

const upgrade = (name: string | undefined, options: Options, command: Command) => {
  const { all, archive, to, back } = options
  if ((name === undefined && !all) || (name !== undefined && all))
    command.error('error: give the name of a node, or --all')
  if (options.stop && (archive || to || back)) command.error('error: --stop goes with no other option')
  if (back && (archive || to)) command.error('error: --back goes to the version that the node ran before')
  return withDatabase((db) => (options.stop ? stop(db, name, options.json) : begin(db, name, options)))
}

const list = ({ json }: { json?: true }) =>
  withDatabase(async (db) => {
    const upgrades = await listUpgrades({ db }, LISTED)
    if (json) return sayJson({ upgrades: upgrades.map(presentUpgrade) })
    if (upgrades.length === 0) return say('No node was upgraded yet. To begin: node upgrade --help')
    sayTable(
      ['begun', 'node', 'from', 'state', 'what'],
      upgrades.map((row) => [
        formatDateTime(row.created_at),
        row.name,
        row.from_version ?? '-',
        row.state,
        upgradeText(row),
      ]),
    )
  })

/** No calls: archives are larger than a call takes, and one command stores them and begins at all nodes. */
export const addNodeUpgrade = (node: Command): void => {
  changes(node.command('upgrade'), 'access')
    .description(
      'Offer agents a version, one node after the other. It stops at the first that does not come about; that node goes back by itself.',
    )
    .argument('[name]', 'the name of the node')
    .option('--all', 'every node whose agent is of another version')
    .option(
      '--archive <file>',
      'store this archive first, whose signature is in FILE.sig; repeat it for the other architecture',
      readArchive,
    )
    .option('--to <version>', 'this version of those that are stored, instead of the newest', readVersion)
    .option('--back', 'the version that the node ran before')
    .option('--stop', 'stop what has not begun to be installed')
    .addOption(JSON_OPTION)
    .action(upgrade)
  reads(node.command('upgrades'))
    .description('How upgrades of agents go, and how they went.')
    .addOption(JSON_OPTION)
    .action(list)
}
