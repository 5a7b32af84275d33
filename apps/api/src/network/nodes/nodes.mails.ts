import { poolSize } from '@hedgerow/domain/addresses'
import { formatUkTime } from '@hedgerow/domain/dates'
import { type ListedNode, listNodes } from '#network/nodes/node-facts.queries.ts'
import { faultsOf, freeOf, isFailing } from '#network/nodes/nodes.service.ts'
import type { With } from '#platform/dependencies.ts'
import { type OperatorLetter, operatorMail } from '#platform/mail/operator-letter.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

/** It leads to the node's page where it names no other. */
type NodeLetter = Omit<OperatorLetter, 'page'> & Partial<Pick<OperatorLetter, 'page'>>

/** To the operator, of a node that is there still. */
const mailOperator = async (
  deps: Deps,
  nodeId: string,
  key: string,
  letterOf: (node: ListedNode) => NodeLetter,
) => {
  const node = (await listNodes(deps.db)).find(({ id }) => id === nodeId)
  if (!node) return
  const page = { label: `Open ${node.name}`, path: `/nodes/${encodeURIComponent(node.name)}` }
  const letter = { page, commands: [['See the node', `node show ${node.name}`]] as const, ...letterOf(node) }
  await deps.mailer.send({ ...operatorMail(letter, deps.settings), key })
}

const people = (count: number) => (count === 1 ? '1 connection' : `${count} connections`)

const failingLetter = (node: ListedNode): NodeLetter => ({
  heading: `The node ${node.name} is not serving its customers`,
  paragraphs: [
    node.faults
      ? `The agent of ${node.name} (${node.endpoint}) is in contact, and tries the node as a customer would. It reports:`
      : `The agent of ${node.name} (${node.endpoint}) is in contact, and finds nothing wrong. But the shop, which connects from outside as customers do, cannot reach the node:`,
    ...faultsOf(node),
    `${people(node.load)} may be affected. New connections go to other nodes that are up; if there are none, nothing is sold.`,
    'On the server, check: curl 127.0.0.1:9465/healthz, and journalctl -u hedgerow-agent',
  ],
  notes: ['You get another email when it works again. See "A node is failing" in docs/operating.md.'],
})

/** Its agent has not asked for minutes, or for minutes something does not work. */
export const mailNodeDown = (deps: Deps, nodeId: string, key: string) =>
  mailOperator(deps, nodeId, key, (node) => (isFailing(node) ? failingLetter(node) : downLetter(node)))

const downLetter = ({ name, endpoint, seen_at, load }: ListedNode): NodeLetter => ({
  heading: `The node ${name} is down`,
  paragraphs: [
    `The agent of ${name} (${endpoint}) was last seen on ${seen_at ? formatUkTime(seen_at) : 'no day'}. ${people(load)} may be offline.`,
    'If only the agent has stopped, existing connections keep working, but no change reaches the node. Meanwhile new connections go to other nodes that are up; if there are none, nothing is sold.',
    'On the server, check: systemctl status hedgerow-agent, curl 127.0.0.1:9465/healthz (it says why the shop cannot be reached, such as a wrong clock), and journalctl -u hedgerow-agent',
  ],
  notes: ['You get another email when it is back. See "A node is down" in docs/operating.md.'],
})

export const mailNodeBack = (deps: Deps, nodeId: string, key: string) =>
  mailOperator(deps, nodeId, key, ({ name, endpoint }) => ({
    heading: `The node ${name} is back`,
    paragraphs: [
      `The agent of ${name} (${endpoint}) is in contact, and customers are served again. It is catching up on what has changed since.`,
    ],
  }))

/** New connections will soon find no room there. */
export const mailPoolLow = (deps: Deps, nodeId: string, key: string) =>
  mailOperator(deps, nodeId, key, (node) => ({
    heading: `The node ${node.name} is nearly full`,
    paragraphs: [
      `${freeOf(node, node.load)} of ${poolSize(node)} addresses of ${node.name} are free.${Number(node.resting) > 0 ? ` ${Number(node.resting)} more were used lately, and will be free again within a week.` : ''}`,
      'When every node is full, paid orders wait. Add a node before that.',
    ],
    page: { label: 'Open the nodes', path: '/nodes' },
    commands: [['Add a node', 'node add --name NAME --endpoint HOST:PORT --ipv4 CIDR --ipv6 CIDR']],
    notes: [
      'You get another email after a day if nothing has changed. See "A pool is nearly full" in docs/operating.md.',
    ],
  }))
