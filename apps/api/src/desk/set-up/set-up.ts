import type { SetUp, SetUpStep, SetUpStepName } from '@hedgerow/contract/console/set-up'
import { machineRoutes } from '@hedgerow/contract/machine-routes'
import { isoOrNull } from '@hedgerow/domain/dates'
import { GATEWAY_TITLES, GATEWAYS, type GatewayName } from '@hedgerow/domain/gateways'
import { comparePrices } from '@hedgerow/domain/price-settings'
import { lastBackup } from '#care/backup/last-backup.ts'
import { checksNamed, runChecks } from '#care/doctor/run-checks.ts'
import { senderRecords } from '#care/doctor/sender-checks.ts'
import { listShopChecks, STATES } from '#care/doctor/shop-checks.ts'
import { countSales, findTestPurchase, lastDone } from '#desk/set-up/set-up.queries.ts'
import { ADAPTERS } from '#money/gateway/adapters.ts'
import { doubtOf, faultsOf, type ListedNode, listNodes, stateOf } from '#network/nodes/nodes.service.ts'
import type { With } from '#platform/dependencies.ts'
import { pagesFolder } from '#platform/http/files/pages-folder.ts'
import { readPriceValues } from '#platform/running-settings/running-settings.ts'
import type { Settings } from '#platform/settings.ts'

/** A shop that has sold so often needs no wizard any more, whatever is left. */
const SOLD_ENOUGH = 10

type Seen = { state: 'ok' | 'warning' | 'problem'; says: string; act?: string | null | undefined }
type Step = Omit<SetUpStep, 'name'>

const seenOf = ({ state, says, act }: Seen) => ({ state, says, act: act ?? null })

const open = (says: string, act: string | null = null): Step => ({ state: 'open', says, act })
const done = (says: string): Step => ({ state: 'done', says, act: null })

/** Its first word with a capital letter, unless that is an address. */
const sentence = (text: string): string =>
  text.replace(/^[a-z]+(?= )/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)

/** The worst of what was seen; where nothing is wrong, what `well` says. */
const stepOf = (all: readonly Seen[], well: string): Step => {
  const worst = STATES.find((state) => all.some((one) => one.state === state))
  if (!worst) return open('The shop has not looked yet: the first results are here within a minute')
  if (worst === 'ok') return done(sentence(well))
  const those = all.filter(({ state }) => state === worst)
  const acts = new Set(those.flatMap(({ act }) => act ?? []))
  return {
    state: worst,
    says: sentence(those.map(({ says }) => says).join('; ')),
    act: [...acts].join(' ') || null,
  }
}

const companyOf = ({ name, company }: Settings['brand']): SetUp['company'] => [
  { variable: 'BRAND_NAME', label: 'Name of the shop', value: name },
  { variable: 'BRAND_COMPANY', label: 'Company', value: company.legalName },
  { variable: 'BRAND_COMPANY_NUMBER', label: 'Company number', value: company.number },
  { variable: 'BRAND_REGISTERED_OFFICE', label: 'Registered office', value: company.registeredOffice },
  { variable: 'BRAND_VAT_NUMBER', label: 'VAT number', value: company.vatNumber },
  { variable: 'BRAND_EMAIL', label: 'Email', value: company.email },
  { variable: 'BRAND_PHONE', label: 'Telephone', value: company.phone },
]

const CALLBACKS: Readonly<Record<GatewayName, readonly string[]>> = {
  gate: [machineRoutes.gateCallback.url, machineRoutes.chargebackNotice.url],
  stripe: [machineRoutes.stripeEvent.url],
  btcpay: [machineRoutes.btcpayEvent.url],
}

const BY_USE = ['up', 'failing', 'drained', 'down', 'awaiting'] as const

const firstNode = (nodes: readonly ListedNode[]): ListedNode | undefined =>
  BY_USE.flatMap((state) => nodes.filter((node) => stateOf(node) === state))[0]

const ADD_NODE = 'docs/node.md has the way from a bare server to a node.'

/** An agent that has enrolled makes its interface and resolvers one after the other, and says meanwhile what is not there. */
const READY_WITHIN_MS = 120_000

const isGettingReady = ({ answered_addresses, faults_since }: ListedNode): boolean =>
  answered_addresses.length === 0 &&
  faults_since !== null &&
  Date.now() - faults_since.getTime() < READY_WITHIN_MS

const nodeStep = (
  nodes: readonly ListedNode[],
  node: ListedNode | undefined,
  { nodeReachCheck }: Settings,
): Step => {
  if (!node)
    return nodes.length > 0
      ? open('Only the demonstration node is there, and it leads nowhere', ADD_NODE)
      : open('There is no node yet', ADD_NODE)
  const state = stateOf(node)
  if (state === 'awaiting') return open(`${node.name} waits for its agent`, ADD_NODE)
  if (state === 'drained') return open(`${node.name} is drained: it takes no new connections`, 'Open it.')
  if (state === 'down')
    return { state: 'problem', says: `${node.name} is down`, act: 'docs/incidents.md#nodedown' }
  if (state === 'failing' && isGettingReady(node))
    return open(`${node.name} has enrolled, and gets ready: ${faultsOf(node).join(' ')}`)
  if (state === 'failing')
    return {
      state: 'problem',
      says: `${node.name}: ${faultsOf(node).join(' ')}`,
      act: 'docs/incidents.md#nodefailing',
    }
  const doubt = doubtOf(node)
  if (doubt) return { state: 'warning', says: `${node.name}: ${doubt}`, act: 'docs/node.md#from-outside' }
  if (node.answered_addresses.length > 0)
    return done(`${node.name} is up, and a probe like a customer’s gets through`)
  return nodeReachCheck === 'off' || node.shop_key === null
    ? done(`${node.name} is up; the shop does not try it from outside`)
    : open(`${node.name} is up, and is tried from outside within a minute`)
}

const purchaseStep = (purchase: Awaited<ReturnType<typeof findTestPurchase>>): Step => {
  if (!purchase)
    return open('Nobody has bought anything yet', 'Buy the least there is yourself, then give it back.')
  if (purchase.isGivenBack) return done('A purchase was paid, and its money went back')
  return purchase.isUnderWay
    ? open('A purchase was paid, and its money is on its way back')
    : open('A purchase was paid', 'Now give it back: cancel it in the shop, or refund it here.')
}

/** Where a new shop stands. Each step is found out anew from what there is; nothing is kept of it. */
export const readSetUp = async ({ db, settings }: With<'db' | 'settings'>): Promise<SetUp> => {
  const rows = await listShopChecks(db)
  const of = (...names: string[]) => rows.filter(({ name }) => names.includes(name))
  const look = (...names: string[]) =>
    runChecks(
      { settings, db, storefrontDir: pagesFolder('storefront', settings) },
      { checks: checksNamed(...names) },
    )

  // In development pages are built again with each change of the settings.
  const company = await look('placeholders', ...(settings.isProduction ? ['pages'] : []))
  // The bucket may keep one waiting: what the running shop saw of it last is enough.
  const backup = [...(await look('backup')), ...of('bucket')]
  const backedUpAt = await lastBackup({ db })
  const sentAt = await lastDone(db, 'set-up mail')
  const confirmedAt = await lastDone(db, 'set-up prices')
  const prices = await readPriceValues(db)
  const nodes = await listNodes(db)
  const node = firstNode(nodes)
  const purchase = await findTestPurchase(db)
  const gateways = GATEWAYS.map((name) => {
    const seen = of(ADAPTERS[name].check.name)[0]
    return {
      name: GATEWAY_TITLES[name],
      hasKeys: settings[name] !== null,
      seen: seen ? seenOf(seen) : null,
      callbacks: CALLBACKS[name].map((path) => `${settings.publicUrl}${path}`),
    }
  })
  const usable = gateways.filter(({ hasKeys }) => hasKeys)

  const saved = stepOf(backup, backup.map(({ says }) => says).join('; '))
  const mail = stepOf(
    of('mail', 'spf', 'dkim', 'dmarc'),
    'The mail server takes mails, and the domain vouches for them',
  )
  const states: Record<SetUpStepName, Step> = {
    address: stepOf(
      of('names', 'proxy', 'certificate'),
      of('proxy', 'certificate')
        .map(({ says }) => says)
        .join('; '),
    ),
    company: stepOf(company, 'Every page, email and invoice shows your company'),
    mail:
      mail.state !== 'problem' && !sentAt && rows.length > 0
        ? open('The mail server answers; no mail was tried yet', mail.act ?? 'ops set-up mail')
        : mail,
    gateway:
      usable.length > 0
        ? stepOf(
            usable.flatMap(({ seen }) => seen ?? []),
            'The gateway takes the keys',
          )
        : { state: 'problem', says: 'No gateway has keys', act: 'Set GATE_*, STRIPE_* or BTCPAY_*.' },
    node: nodeStep(nodes, node, settings),
    prices: confirmedAt
      ? done('You have confirmed the prices')
      : open(
          'The prices are the ones that the shop came with, until you say that they are yours',
          'ops set-up prices',
        ),
    purchase: purchaseStep(purchase),
    backup: backedUpAt ? saved : { ...saved, state: 'open' },
  }
  const steps = (Object.keys(states) as SetUpStepName[]).map((name) => ({ name, ...states[name] }))
  const isLeft = steps.some(({ state }) => state === 'open' || state === 'problem')
  const lookedAt = rows.map(({ looked_at }) => looked_at.getTime())
  return {
    isOver: !isLeft || (await countSales(db, SOLD_ENOUGH)) >= SOLD_ENOUGH,
    steps,
    checkedAt: lookedAt.length > 0 ? new Date(Math.max(...lookedAt)).toISOString() : null,
    address: {
      shop: settings.publicUrl,
      console: settings.consolePort === null ? null : settings.consoleUrl,
      checks: of('names', 'proxy', 'certificate').map(seenOf),
    },
    company: companyOf(settings.brand),
    mail: {
      from: settings.mailFrom,
      to: settings.operatorEmail,
      server: new URL(settings.smtpUrl).hostname,
      sentAt: isoOrNull(sentAt ?? null),
      records: senderRecords(settings).map((record) => {
        const seen = of(record.kind.toLowerCase())[0]
        return { ...record, seen: seen ? seenOf(seen) : null }
      }),
    },
    gateways,
    node: node ? { name: node.name, state: stateOf(node) } : null,
    prices: {
      examples: comparePrices(prices, prices).map(({ text, afterMinor }) => ({
        order: text,
        minor: afterMinor,
      })),
      confirmedAt: isoOrNull(confirmedAt ?? null),
    },
    purchase: purchase
      ? {
          paymentId: purchase.id,
          at: (purchase.ended_at ?? new Date()).toISOString(),
          sum: { minor: purchase.charged_minor, currency: purchase.charged_currency },
          isGivenBack: purchase.isGivenBack,
          isUnderWay: purchase.isUnderWay,
        }
      : null,
    backedUpAt: isoOrNull(backedUpAt ?? null),
  }
}
