/**
 * What may import what. Each list is a staircase, the top step first: a file imports from its own step and from the steps
 * below it, types included. Names that share a line stand side by side and do not know each other.
 * A new folder has to be given its step here before anything in it may be imported.
 */

const API = [
  ['main', 'ops'], // the programs
  ['server'],
  ['app'],
  ['commands'], // the operator's tool: a command each
  ['cli'], // what its commands are made of
  ['jobs'],
  ['shop-dependencies'],
  ['profile'], // the account as its holder sees it, as a file, and its end
  ['overview'],
  ['backoffice'], // what operators read and do
  ['telemetry'],
  ['payments', 'backup'],
  ['refunds'],
  ['gateway'],
  ['partnership'],
  ['invoices'],
  ['orders'],
  ['renewals'],
  ['operators'],
  ['connections'],
  ['accounts', 'nodes', 'conversations'],
  ['plans'],
  ['dependencies'],
  ['promocodes', 'mail'],
  ['queue'],
  ['http'],
  ['crypto', 'database'],
  ['instrumentation'],
  ['settings', 'private-memory'],
  ['start-error'],
]

const STOREFRONT = [
  ['main', 'prerender', 'dev'],
  ['app'],
  ['pages'],
  ['home', 'features'],
  ['shared'],
  ['ui'],
  ['lib'],
]

const PACKAGES = [
  ['contract', 'documents', 'testing'],
  ['domain', 'brand', 'gate', 'wireguard', 'embedded-postgres', 'settings'],
]

const TESTS = String.raw`(\.test\.tsx?$|/testing/)`

/** A path of a step: a folder of that name, or a file. */
const pathOf = (root, names) => `^${root}/(${names.join('|')})(/|\\.tsx?$)`

const upwards = (root, steps) =>
  steps.flatMap((names, height) => {
    const above = steps.slice(0, height).flat()
    const rules = names.map((name) => ({
      name: `${name}-is-below-what-it-imports`,
      comment: `${root}/${name} stands below it on the staircase of architecture.rules.mjs: move what both need down, or hand it in.`,
      severity: 'error',
      from: { path: pathOf(root, [name]), pathNot: TESTS },
      to: { path: pathOf(root, [...above, ...names.filter((other) => other !== name)]) },
    }))
    return above.length === 0 && names.length === 1 ? [] : rules
  })

const unplaced = (root, steps) => ({
  name: `no-step-in-${root.split('/').at(-2)}`,
  comment: `It has no step on the staircase of ${root}: give it one in architecture.rules.mjs.`,
  severity: 'error',
  from: {},
  to: { path: `^${root}/`, pathNot: [pathOf(root, [...steps.flat(), 'testing']), '\\.(css|svg|json|d\\.ts)$'] },
})

export default {
  forbidden: [
    ...upwards('apps/api/src', API),
    unplaced('apps/api/src', API),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)(dist|dist-ssr|node_modules)/', '\\.test\\.tsx?$'] },
  },
}
