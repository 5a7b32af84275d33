/** What attacks a running shop, or reads what it answers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Bench, type Checker, type Finding, parseJson, run, runTool } from './checker.ts'

const DIST = 'apps/storefront/dist'

/** The addresses of the pages, those of the application with something in place of what is in them. */
const pagesOf = (root: string): string[] => {
  const dist = join(root, DIST)
  const written = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('index.html'))
    .map((file) => `/${file.replace(/\/?index\.html$/, '')}`)
  const rendered = JSON.parse(readFileSync(join(dist, 'spa-paths.json'), 'utf8')) as string[]
  return [...written, ...rendered.map((path) => path.replace(/:\w+/g, '1'))]
}

type CspFinding = { severity: number; description: string; directive: string }
type CspPackage = {
  CspEvaluator: new (csp: unknown) => { evaluate: () => CspFinding[] }
  CspParser: new (header: string) => { csp: unknown }
}
/** "self" is trusted: what the shop's own host serves is the shop's build. */
const SEVERE_BELOW = 50

const readPolicies = async ({ root, shop, tools }: Bench): Promise<Finding[]> => {
  const load = createRequire(`${tools}/`)
  const { CspEvaluator } = load('csp_evaluator') as CspPackage
  const { CspParser } = load('csp_evaluator/dist/parser.js') as CspPackage
  const { url } = await shop()
  const asset = readdirSync(join(root, DIST, 'assets')).find((file) => file.endsWith('.js')) ?? ''
  const places = [
    ...pagesOf(root),
    '/nothing',
    '/%zz',
    `/assets/${asset}`,
    '/api/v1/shop/items',
    '/api/v1/nothing',
  ]
  const findings: Finding[] = []
  for (const path of places) {
    const policy = (await fetch(url + path)).headers.get('content-security-policy')
    if (!policy) findings.push({ where: `none ${path}`, what: 'an answer without a policy' })
    else
      for (const { severity, description, directive } of new CspEvaluator(
        new CspParser(policy).csp,
      ).evaluate())
        if (severity < SEVERE_BELOW) findings.push({ where: `${directive} ${path}`, what: description })
  }
  return findings
}

type ObservatoryReport = {
  tests: Record<string, { pass: boolean; result: string; scoreDescription?: string }>
}

const observe = async (bench: Bench): Promise<Finding[]> => {
  const shop = await bench.shop()
  await shop.startProxy()
  // It looks whether the host is on a list that comes by a download; our own host is not.
  const folder = join(bench.tools, 'node_modules/@mdn/mdn-http-observatory')
  await mkdir(join(folder, 'conf'), { recursive: true })
  const list = join(folder, 'conf/hsts-preload.json')
  if (!existsSync(list)) await writeFile(list, '{"entries":[]}')
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const args = [`127.0.0.1:${shop.tlsPort}`]
  const output = await runTool(bench, '@mdn/mdn-http-observatory/bin/wrapper.js', args, { env })
  const { tests } = parseJson<ObservatoryReport>('observatory', output.stdout, output)
  return Object.entries(tests)
    .filter(([, { pass }]) => pass === false)
    .map(([name, { result, scoreDescription = '' }]) => ({
      where: `${name} ${result}`,
      what: scoreDescription,
    }))
}

const WAPITI_MODULES =
  'backup,blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'

type WapitiFinding = { path: string; info: string; parameter: string }
type WapitiReport = Record<'vulnerabilities' | 'anomalies', Record<string, WapitiFinding[]>>

const wapiti = async (bench: Bench): Promise<Finding[]> => {
  const { url, token } = await bench.shop()
  const report = join(bench.scratch, 'wapiti.json')
  const args = [
    ...[
      '-u',
      `${url}/`,
      '-m',
      WAPITI_MODULES,
      '--flush-session',
      '--no-bugreport',
      '-f',
      'json',
      '-o',
      report,
    ],
    ...['--store-session', join(bench.scratch, 'wapiti'), '-H', `Authorization: Bearer ${token}`],
    ...['--max-scan-time', '900', '--max-attack-time', '120'],
    // It follows no scripts, so it gets a list.
    ...pagesOf(bench.root).flatMap((path) => ['-s', url + path]),
  ]
  const output = await run('wapiti', args, { minutes: 25 })
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  const { vulnerabilities, anomalies } = parseJson<WapitiReport>('wapiti', text, output)
  const all = [...Object.entries(vulnerabilities), ...Object.entries(anomalies)]
  return all.flatMap(([kind, found]) =>
    found.map(({ path, info, parameter }) => ({
      where: `${kind}: ${info}`,
      what: `${path} ${parameter}`.trim(),
    })),
  )
}

const UUID = '3f0e6a4e-6d1c-4c57-8f0b-0d6f3a1c2b4d'
/** Calls whose parts reach the database, each with a body or an address to be played with. */
const INJECTABLE: readonly [method: string, path: string, body?: object][] = [
  ['POST', '/api/v1/user/login', { username: 'ada@example.org', password: 'a wren in the hedge' }],
  ['POST', '/api/v1/user/password/forgot', { email: 'ada@example.org' }],
  ['GET', `/api/v1/orders/${UUID}*`],
  ['GET', `/api/v1/payment/status/${UUID}*`],
  [
    'POST',
    '/api/v1/orders',
    { days: 30, connections: 3, features: {}, currency: 'EUR', total: 30, promocode: 'abc' },
  ],
]

const requestText = (
  host: string,
  token: string,
  [method, path, body]: (typeof INJECTABLE)[number],
): string => {
  const text = body ? JSON.stringify(body) : ''
  const type = body ? ['Content-Type: application/json', `Content-Length: ${text.length}`] : []
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, ...type]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

const injectSql = async ({ scratch, shop }: Bench): Promise<Finding[]> => {
  const { url, token } = await shop()
  const findings: Finding[] = []
  for (const [index, call] of INJECTABLE.entries()) {
    const file = join(scratch, `request-${index}.txt`)
    await writeFile(file, requestText(new URL(url).host, token, call))
    const args = [
      ...['-r', file, '--batch', '--ignore-stdin', '--level', '3', '--risk', '2', '--dbms=PostgreSQL'],
      ...[
        '--ignore-code=400,401,404,409,422',
        '--flush-session',
        '--time-sec',
        '3',
        '--output-dir',
        join(scratch, 'sqlmap'),
      ],
    ]
    const { stdout, stderr } = await run('sqlmap', args, { minutes: 8 })
    const where = `${call[0]} ${call[1]}`
    if (/identified the following injection point/.test(stdout))
      findings.push({ where, what: stdout.slice(-600) })
    else if (!/do not appear to be injectable/.test(stdout))
      throw new Error(`sqlmap came to no end at ${where}: ${(stderr || stdout).trim().slice(-300)}`)
  }
  return findings
}

const guessPaths = async ({ root, shop }: Bench): Promise<Finding[]> => {
  const { url } = await shop()
  const words = '/usr/share/dirb/wordlists/common.txt'
  const args = [
    '-u',
    `${url}/FUZZ`,
    '-w',
    words,
    '-e',
    '.map,.bak,.env,.git/HEAD',
    '-mc',
    '200,204,301,302,403,500',
    '-s',
  ]
  const { stdout } = await run('ffuf', args, { minutes: 15 })
  const files = readdirSync(join(root, DIST)).filter((file) => /^\w+\.(?:txt|xml|ico|png|svg)$/.test(file))
  const known = new Set([...pagesOf(root), '/index.html', ...files.map((file) => `/${file}`)])
  return stdout
    .split('\n')
    .map((word) => `/${word.trim().replace(/^\/|\/$/g, '')}`)
    .filter((path) => path !== '/' && !known.has(path))
    .map((path) => ({ where: path, what: 'an address that answers and is no page' }))
}

const scanTls = async (bench: Bench): Promise<Finding[]> => {
  const shop = await bench.shop()
  await shop.startProxy()
  const { stdout } = await run('sslscan', ['--no-colour', `127.0.0.1:${shop.tlsPort}`])
  if (!/TLSv1\.3 +enabled/.test(stdout)) throw new Error(`sslscan found no TLS 1.3: ${stdout.slice(-300)}`)
  return stdout
    .split('\n')
    .filter(
      (line) =>
        /^(?:SSLv\d|TLSv1\.[01]) +enabled|vulnerable to heartbleed/.test(line) &&
        !/ not vulnerable/.test(line),
    )
    .map((line) => ({ where: line.trim(), what: 'an old or broken protocol' }))
}

type TestsslFinding = { id: string; severity: string; finding: string }

const testTls = async (bench: Bench): Promise<Finding[]> => {
  const shop = await bench.shop()
  await shop.startProxy()
  const report = join(bench.scratch, 'testssl.json')
  const quiet = ['--quiet', '--color', '0', '--warnings', 'off', '--severity', 'LOW']
  const output = await run('testssl', [...quiet, '--jsonfile', report, `127.0.0.1:${shop.tlsPort}`])
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  return parseJson<TestsslFinding[]>('testssl', text, output).map(({ id, severity, finding }) => ({
    where: id,
    what: `${severity}: ${finding}`,
  }))
}

/** The shop ends no TLS itself, so the shipped nginx site is put before it. */
const NGINX = { nginx: 'nginx-light', openssl: 'openssl' }

export const WEB_CHECKERS: readonly Checker[] = [
  {
    name: 'csp',
    what: 'the policy of each kind of answer',
    packages: ['csp_evaluator@1.1.8'],
    run: readPolicies,
  },
  {
    name: 'observatory',
    what: 'the headers behind the shipped nginx site',
    packages: ['@mdn/mdn-http-observatory@1.4.8'],
    programs: NGINX,
    run: observe,
  },
  {
    name: 'sslscan',
    what: 'the protocols of the shipped nginx site',
    programs: { ...NGINX, sslscan: 'sslscan' },
    run: scanTls,
  },
  {
    name: 'testssl',
    what: 'the TLS of the shipped nginx site',
    programs: { ...NGINX, testssl: 'testssl.sh' },
    run: testTls,
  },
  {
    name: 'ffuf',
    what: 'addresses that should not answer',
    programs: { ffuf: 'ffuf', dirb: 'dirb' },
    run: guessPaths,
  },
  { name: 'wapiti', what: 'common attacks on every page', programs: { wapiti: 'wapiti' }, run: wapiti },
  {
    name: 'sqlmap',
    what: 'SQL in the calls that reach the database',
    programs: { sqlmap: 'sqlmap' },
    run: injectSql,
  },
]
