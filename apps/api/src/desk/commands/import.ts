import { DAY_MS, formatDate } from '@hedgerow/domain/dates'
import {
  endpointFault,
  ipv4PoolFault,
  ipv6PoolFault,
  localEndpointFault,
  NODE_NAME_FORM,
  nodeName,
  portOf,
} from '@hedgerow/domain/node-places'
import { counted } from '@hedgerow/domain/order-description'
import { isPublicKey } from '@hedgerow/domain/public-keys'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION, readDays, YES_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayAside, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import { checkPeers } from '#network/imports/check-peers.ts'
import { type FoundFile, ImportFault } from '#network/imports/found.ts'
import { type ImportPlan, planImport, runImport, undoImport } from '#network/imports/imports.service.ts'
import { readPeersCsv, withEmails } from '#network/imports/read-peers-csv.ts'
import { readWgEasy } from '#network/imports/read-wg-easy.ts'
import { readWgQuick } from '#network/imports/read-wg-quick.ts'
import { readBrand, readPublicUrl } from '#platform/settings.ts'

type Options = {
  node: string
  endpoint: string
  allowLocal?: true
  emails?: string
  serverKey?: string
  ipv4?: string
  ipv6?: string
  days?: number
  end?: Date
  never?: true
  dryRun?: true
  yes?: true
  json?: true
}

const checked =
  (faultOf: (text: string) => string | undefined) =>
  (text: string): string => {
    const fault = faultOf(text)
    if (fault !== undefined) throw new InvalidArgumentError(fault)
    return text
  }

const readNodeName = (text: string): string => {
  const name = nodeName(text)
  if (name === undefined) throw new InvalidArgumentError(NODE_NAME_FORM)
  return name
}

const readServerKey = checked((text) =>
  isPublicKey(text) ? undefined : 'A public key has 44 characters, as wg shows it.',
)

const readEnd = (text: string): Date => {
  const end = new Date(`${text}T23:59:59Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(end.getTime()) || !end.toISOString().startsWith(text))
    throw new InvalidArgumentError('A day is written like 2026-12-31.')
  if (end.getTime() <= Date.now()) throw new InvalidArgumentError('That day is over.')
  return end
}

/** Faults of a file are told as any other refusal, a line each. */
const withFaults = async <T>(what: () => Promise<T>): Promise<T> => {
  try {
    return await what()
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error
    throw new Refusal([...error.faults, 'Nothing was done.'].join('\n'))
  }
}

const endOf = ({ days, end, never }: Options, now: Date): Date | null | undefined => {
  if (Number(days !== undefined) + Number(end !== undefined) + Number(never === true) > 1)
    throw new Refusal('Say one of --days, --end and --never. Nothing was done.')
  if (days !== undefined) return new Date(now.getTime() + days * DAY_MS)
  return never ? null : end
}

const LISTED = 20

const sayPlan = (
  { file, nodeId, fresh, known, accounts, withoutEmail }: ImportPlan,
  { node, endpoint }: Options,
) => {
  sayTable(
    ['where', 'name', 'place', 'ends', 'email', 'key'],
    fresh
      .slice(0, LISTED)
      .map(({ where, name, position, end, email, privateKey }) => [
        where,
        name,
        `.${position}`,
        end ? formatDate(end) : 'never',
        email ?? '–',
        privateKey === null ? 'public half' : 'whole',
      ]),
  )
  if (fresh.length > LISTED) say(`… and ${fresh.length - LISTED} more.`)
  for (const line of file.leftOut) say(`Left out: ${line}`)
  say('')
  sayFacts([
    [
      'Node',
      nodeId === undefined ? `${node}, to be made for ${endpoint}` : `${node}, which is there already`,
    ],
    ['Networks', `${file.pool.ipv4}, ${file.pool.ipv6}`],
    ['Server’s public key', file.serverKey],
    ['Connections', `${fresh.length} to be brought, ${known} there already, ${file.leftOut.length} left out`],
    [
      'Accounts',
      `${accounts.fresh} to be made, ${accounts.existing} there already; ${counted(withoutEmail, 'connection')} without an email`,
    ],
  ])
}

type Reader = (bytes: Buffer, file: string) => FoundFile

const sayEnrolment = ({ token, expiresAt }: { token: string; expiresAt: Date }): void => {
  say(`The enrolment token of its agent, shown once, valid until ${expiresAt.toISOString()}:`)
  say(token)
  say('On the server, with its old file, as root:')
  say(
    `AGENT_TAKE_KEY=/etc/wireguard/wg0.conf AGENT_TOKEN=${token} ./install-agent.sh ${readPublicUrl(toolRun().env)}`,
  )
  say('Customers are mailed when the agent has taken over. docs/importing.md has the steps.')
}

const bring = (read: Reader) => (file: string, options: Options) =>
  withKeys((deps) =>
    withFaults(async () => {
      const now = new Date()
      const end = endOf(options, now)
      const localFault = options.allowLocal ? undefined : localEndpointFault(options.endpoint)
      if (localFault !== undefined) throw new Refusal(localFault)
      const whole = read(await readNamedFile(file), placeOf(file))
      const found =
        options.emails === undefined ? whole : withEmails(whole, await readNamedFile(options.emails))
      const checkedFile = checkPeers(found, { ...options, end, now })
      const wanted = {
        nodeName: options.node,
        endpoint: options.endpoint,
        brandName: readBrand(toolRun().env).name,
      }
      const plan = await planImport(deps, checkedFile, wanted)
      const { port } = checkedFile
      const { fresh, known, accounts, withoutEmail } = plan
      if (options.json) {
        if (options.dryRun)
          return sayJson({
            connections: fresh.length,
            known,
            accounts,
            withoutEmail,
            leftOut: checkedFile.leftOut,
          })
      } else sayPlan(plan, options)
      if (port !== undefined && port !== portOf(options.endpoint))
        sayAside(
          `The server listens on port ${port} itself; devices reach it at ${options.endpoint}, and so the agent listens there.`,
        )
      if (options.dryRun) return say('Nothing was done: this was a dry run.')
      if (fresh.length === 0)
        return options.json
          ? sayJson({ connections: 0, known })
          : say('All of it is there already. Nothing was done.')
      await ask(`Bring ${counted(fresh.length, 'connection')}?`, options.yes)
      const { brought, enrolment } = await runImport(deps, plan, wanted)
      if (options.json)
        return sayJson({
          connections: brought,
          known,
          accounts,
          withoutEmail,
          ...(enrolment ? { token: enrolment.token } : {}),
        })
      say(`${counted(brought, 'connection')} brought. Within a day, import undo takes them back.`)
      if (enrolment) sayEnrolment(enrolment)
    }),
  )

const undo = (name: string, { yes, json }: { yes?: true; json?: true }) =>
  withDatabase((db) =>
    withFaults(async () => {
      await ask(
        `Take back the import of ${name}? Its connections, its node and the accounts that nobody has claimed go.`,
        yes,
      )
      const undone = await undoImport({ db }, name)
      if (json) return sayJson(undone)
      const gone = `${counted(undone.connections, 'connection')}, ${counted(undone.accounts, 'account')}`
      say(
        undone.isNodeLeft
          ? `${gone} are gone. The node ${name} stays: other connections live there.`
          : `${gone} and the node ${name} are gone. If the agent has taken over, stop it and start the old server again.`,
      )
    }),
  )

const withOptions = (command: Command): Command =>
  command
    .argument('<file>', 'the file, up to 20 MB')
    .requiredOption('--node <name>', 'the node to be made for the server', readNodeName)
    .requiredOption(
      '--endpoint <host:port>',
      'where devices reach the server, as their files say it',
      checked(endpointFault),
    )
    .option('--allow-local', 'take an endpoint that only this network reaches')
    .option('--emails <file>', 'a CSV beside it: email, and public key, address or name; perhaps end')
    .option('--server-key <key>', 'the server’s public key, where the file does not say it', readServerKey)
    .option(
      '--ipv4 <network>',
      'the server’s IPv4 network, where the file does not say it',
      checked(ipv4PoolFault),
    )
    .option(
      '--ipv6 <network>',
      'the same for IPv6; without one the node gets a private one',
      checked(ipv6PoolFault),
    )
    .option('--days <number>', 'devices without an end in the file end so many days from now', readDays)
    .option('--end <day>', 'they end with this day (UTC)', readEnd)
    .option('--never', 'they never end')
    .addOption(new Option('--dry-run', 'show what would happen, and do nothing'))
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)

export const addImport = (program: Command): void => {
  const group = program
    .command('import')
    .summary('customers of another panel')
    .description(
      'Bring customers who have connections on another WireGuard server: a node takes over its key, network and port, and no device notices. docs/importing.md.',
    )
    .helpCommand(false)
  withOptions(changes(group.command('wg-easy'), 'customers'))
    .description('Bring the clients of wg-easy: wg0.json of versions 3 to 14, or wg-easy.db of version 15.')
    .action(bring(readWgEasy))
  withOptions(changes(group.command('wg-quick'), 'customers'))
    .description('Bring the peers of a WireGuard server’s file, such as /etc/wireguard/wg0.conf.')
    .action(bring(readWgQuick))
  withOptions(changes(group.command('csv'), 'customers'))
    .description(
      'Bring the rows of a list: public key and address, and email, name, end and preshared key where they are known.',
    )
    .action(bring(readPeersCsv))
  changes(group.command('undo'), 'customers')
    .description('Take an import back within a day, if nothing of it was extended since.')
    .argument('<node>', 'the node that the import made', readNodeName)
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(undo)
}
