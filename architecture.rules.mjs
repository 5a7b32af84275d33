/**
 * What may import what. Each list is a staircase with its highest step first: a file imports from its own step and from
 * the steps below it, types included. Names on one line stand side by side and do not know each other.
 * A new folder has to be given its step here before anything may import it. `npm run check` looks.
 */

const STAIRCASES = {
  // The API is made of rooms: a folder each, with its slices in it. Inside a room slices may use each other, without a ring.
  'apps/api/src': [
    ['main', 'ops', 'try-copy', 'demo'], // the programs; the last makes a shop to look at, and is in none that sells
    ['server'], // one process that serves, what starts several of them, and the shop's own front
    ['jobs'], // which job does what
    ['desk'], // what operators read and do, in the console and by the tool; a person's data, and its erasure
    ['care'], // backup, doctor, telemetry, alerts, keys
    ['accounting'], // what an accountant wants: books, what the gateway booked, the month's check
    ['money'], // payments, the gateway, refunds, disputes, cancellations
    ['partners'], // the ledger, withdrawals, files for the bank
    ['sales'], // orders, renewals, invoices
    ['network'], // nodes, connections, the status page
    ['people'], // accounts, sessions, operators, conversations
    ['catalogue'], // plans, promocodes
    ['platform'], // database, HTTP, queue, mail, settings: knows nothing of the shop
  ],
  'apps/storefront/src': [
    ['main', 'prerender'],
    ['app'],
    ['pages', 'dev'],
    ['home'],
    ['features'], // which do not know each other: see below
    ['shared'], // session, currency, brand
    ['lib'],
  ],
  'apps/console/src': [
    ['main'],
    ['app'],
    ['pages'],
    ['shared'], // session, lists, what several screens show
    ['lib'],
  ],
  'apps/node-agent/src': [
    ['main', 'launcher', 'trial-guard'], // the agent, what starts it, and what watches a new version of it
    ['lists-command', 'take-key-command'],
    ['lists'], // what a node blocks by, fetched
    ['run-agent'],
    ['agent'],
    ['health'],
    ['probe', 'report', 'upgrade'],
    ['shop'],
    ['reconcile'],
    ['device', 'network', 'state'],
    ['runtime'],
    ['settings'],
  ],
  'apps/sandbox/src': [
    ['main'],
    ['app'],
    ['calls', 'data-api'], // all that the gateway can be called for
    ['settlement'], // what it books, takes for it and pays to the bank
    ['front', 'hosted'],
    ['stripe', 'btcpay'], // all of their protocols, and their pages
    ['vies', 'bank'], // the register of VAT numbers, and the company's bank
    ['customer', 'card', 'open-banking', 'blik'],
    ['issuer'],
    ['v2'],
    ['gateway'], // a sale's life
    ['callbacks'],
    ['next-actions', 'books', 'faults', 'mail'],
    ['payments', 'pages', 'shelves'],
    ['journal', 'delays'],
    ['settings'],
  ],
  packages: [
    ['web'], // what both apps do in a browser: calls, forms, passkeys
    ['contract', 'documents', 'testing', 'ui'],
    [
      'domain',
      'brand',
      'gate',
      'wireguard',
      'embedded-postgres',
      'settings',
      'io', // HTTP calls, files written whole, HTML escaped
      'agent-release',
    ],
  ],
}

/** Where tests and what only they need may look: everywhere. */
const TESTING = '/testing/'

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** Folders of these names, or files. */
const pathOf = (root, names) => `^${root}/(${names.join('|')})(/|\\.tsx?$)`

const staircase = ([root, steps]) => {
  const known = [...steps.flat(), 'testing', 'environment.d']
  return [
    ...steps.flatMap((names, height) =>
      names.map((name) => {
        const others = [...steps.slice(0, height).flat(), ...names.filter((other) => other !== name)]
        return rule(
          `${root}/${name} goes up`,
          `It imports from a step that is not below ${name}. Move what both need down, or have it handed in.`,
          { path: pathOf(root, [name]), pathNot: TESTING },
          // On the highest step nothing is forbidden.
          { path: others.length > 0 ? pathOf(root, others) : '^$' },
        )
      }),
    ),
    rule(
      `${root} has a folder without a step`,
      'Give it one in architecture.rules.mjs.',
      {},
      { path: `^${root}/`, pathNot: [pathOf(root, known), '\\.(css|svg|json)$'] },
    ),
  ]
}

export default {
  forbidden: [
    ...Object.entries(STAIRCASES).flatMap(staircase),
    rule(
      'a ring of imports',
      'These files import each other, directly or round about.',
      {},
      { circular: true },
    ),
    rule(
      'a feature knows another',
      'Pages compose features; what two share stands in shared.',
      { path: '^apps/storefront/src/features/([^/]+)/', pathNot: TESTING },
      { path: '^apps/storefront/src/features/', pathNot: '^apps/storefront/src/features/$1/' },
    ),
    rule(
      "a room's queries are its own",
      'Another room is reached through what it offers: have a service of it export a function.',
      { path: '^apps/api/src/([^/]+)/', pathNot: TESTING },
      { path: '^apps/api/src/.*\\.queries\\.ts$', pathNot: '^apps/api/src/$1/' },
    ),
    rule(
      'an app imports an app',
      'They speak to each other by HTTP, mail or files.',
      { path: '^apps/([^/]+)/', pathNot: TESTING },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'an app is reached past its exports',
      'Outside the app: what its package.json exports, by the name of the package.',
      { path: '^(bench|e2e|scripts)/' },
      { path: '^(apps|packages)/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
    ),
    rule(
      'an app or a package imports what is around it',
      'Bench, scripts and browser tests use the product, and not the other way round.',
      { path: '^(apps|packages)/', pathNot: TESTING },
      { path: '^(bench|e2e|scripts)/' },
    ),
    rule(
      'a package imports an app',
      'What needs an app stands in the app.',
      { path: '^packages/' },
      { path: '^apps/' },
    ),
    rule(
      'node:http is imported',
      'That loads all that fetch needs into each process: @hedgerow/io/node-http has it without.',
      { path: '^(apps|packages)/', pathNot: [TESTING, '^packages/testing/'] },
      { path: '^(node:)?http$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'a program imports what is for tests',
      'Testing folders and packages/testing are for tests alone.',
      { path: '^(apps|packages)/', pathNot: [TESTING, '^packages/testing/'] },
      { path: ['/testing/', '^packages/testing/'] },
    ),
  ],
  options: {
    parser: 'swc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)(dist|dist-ssr|node_modules)/', '\\.test\\.tsx?$'] },
  },
}
