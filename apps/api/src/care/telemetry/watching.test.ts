import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SECURITY_EVENTS } from '@hedgerow/domain/security-events'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { type Metric, scrape } from '#testing/metrics.ts'
import { aNode } from '#testing/nodes.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const deployed = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../../deploy/${file}`, import.meta.url)), 'utf8')

const rules = deployed('prometheus/alerts.yml')
const dashboard = JSON.parse(deployed('grafana/hedgerow.json')) as {
  panels: { id: number; type: string; datasource?: { uid: string }; targets?: { expr: string }[] }[]
  templating: { list: { name: string; type: string; query: string }[] }
}

const ofRules = rules
  .split(/\n {6}- alert: /)
  .slice(1)
  .map(
    (rule) =>
      rule.replace(/^\s*#.*$/gm, '').match(/expr: (?:\|\n)?([\s\S]*?)\n {8}(?:for|labels):/)?.[1] ?? '',
  )
const ofPanels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** What Prometheus itself adds to every series. */
const ITS_OWN = ['job', 'instance', 'le']

type Asked = { name: string; matchers: { label: string; how: string; value: string }[] }

const askedBy = (expr: string): Asked[] =>
  [...expr.matchAll(/\b((?:hedgerow|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
        ([, label = '', how = '', value = '']) => ({
          label,
          how,
          value,
        }),
      ),
    }),
  )

const groupedBy = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((one) => one.trim()),
  )

const shop = shopOfFile()
let series: Metric[] = []

beforeAll(async () => {
  // What a shop tells that has sold something, mailed it, was backed up, and has a node with lists.
  const { secret } = await aNode(shop)
  await shop.call('GET', '/api/v1/agent/changes?since=0&wait=0&lists=ads:1&listTimes=ads:1', {
    token: secret,
  })
  await sql`insert into operator_actions (id, who, command, arguments, outcome, ended_at)
    values (gen_random_uuid(), 'ada@here', 'backup', '{}', 'done', now())`.execute(shop.db)
  await sql`insert into shop_checks (name, machine, state, says) values ('mail', '', 'ok', 'answers')`.execute(
    shop.db,
  )
  await aPurchase(shop)
  await aCustomer(shop)
  series = await until(async () => {
    const all = await scrape(shop)
    return all.some(({ name, labels }) => name === 'hedgerow_mails_total' && labels.outcome === 'sent') && all
  })
})

const seriesOf = (name: string) => series.filter((one) => one.name === name)

describe.each([
  ['the alert rules', ofRules],
  ['the dashboard', ofPanels],
])('%s', (_, expressions) => {
  test('ask something', () => {
    expect(expressions.length).toBeGreaterThan(14)
    for (const expr of expressions) expect(expr).toMatch(/\w/)
  })

  test.each(expressions.map((expr) => [expr]))('asks only for what a shop tells: %s', (expr) => {
    for (const { name, matchers } of askedBy(expr)) {
      const series = seriesOf(name)
      expect(series, name).not.toEqual([])
      const labels = new Set([...series.flatMap((one) => Object.keys(one.labels)), ...ITS_OWN])
      for (const { label } of matchers) expect([...labels], `${name}{${label}}`).toContain(label)
      for (const { label, how, value } of matchers) {
        // Statuses and outcomes of what went wrong are not there while all is well.
        if (how === '=' && !['job', 'outcome'].includes(label))
          expect(
            series.map((one) => one.labels[label]),
            `${name}{${label}}`,
          ).toContain(value)
      }
    }
    const known = askedBy(expr).flatMap(({ name }) =>
      seriesOf(name).flatMap((one) => Object.keys(one.labels)),
    )
    for (const label of groupedBy(expr)) expect([...known, ...ITS_OWN], expr).toContain(label)
  })
})

describe('the alert rules', () => {
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

  test('lead each to a page that is there', () => {
    const headings = readFileSync(
      fileURLToPath(new URL('../../../../../docs/incidents.md', import.meta.url)),
      'utf8',
    )
    for (const name of names) expect(headings).toContain(`\n## ${name}\n`)
    const pages = [...rules.matchAll(/runbook_url: '(.+)'/g)].map(([, page]) => page)
    const whole = '{{ $externalLabels.runbooks }}/docs/incidents.md'
    expect(pages).toEqual(names.map((name) => `${whole}#${name.toLowerCase()}`))
    expect(deployed('prometheus/prometheus.yml')).toMatch(/external_labels:\n {4}runbooks: https:/)
    expect(new Set(names).size).toBe(names.length)
  })

  test('have each a test of promtool that it is raised', () => {
    const tests = deployed('prometheus/alerts.test.yml')
    for (const name of names) {
      expect(tests, name).toMatch(new RegExp(`alertname: ${name}\\n\\s+exp_alerts:\\n`))
    }
  })
})

test('what happens to accounts is explained by its kind, for readers of the log', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../../../../docs/logs-and-metrics.md', import.meta.url)),
    'utf8',
  )
  const kinds = page.match(/^\| `securityEvent` \|.*$/m)?.[0] ?? ''
  for (const kind of [...Object.keys(SECURITY_EVENTS), 'account-erased'])
    expect(kinds).toContain(`\`${kind}\``)
})

test('the dashboard chooses its Prometheus by a variable, in every panel', () => {
  expect(dashboard.templating.list).toMatchObject([
    { name: 'datasource', type: 'datasource', query: 'prometheus' },
  ])
  for (const { datasource, type } of dashboard.panels) {
    if (type !== 'row') expect(datasource?.uid).toBe('$' + '{datasource}')
  }
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})
