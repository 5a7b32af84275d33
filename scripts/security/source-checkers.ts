/** What reads the sources, their history and their packages. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Bench, type Checker, type Finding, parseJson, run, runTool, Skipped } from './checker.ts'
import { findSlowPatterns } from './pattern-checker.ts'
import { TOOLS } from './tools.ts'

const SECRETLINT = [
  'secretlint@13.0.6',
  '@secretlint/secretlint-rule-preset-recommend@13.0.7',
  '@secretlint/secretlint-rule-pattern@13.0.6',
]
/** Pictures and fonts; in the history they stand as "Binary files differ". */
const NO_TEXT = /\.(?:png|ico|jpg|woff2?|ttf|pdf)$/

type SecretlintFile = {
  filePath: string
  messages: { ruleId: string; message: string; loc: { start: { line: number } } }[]
}

const findSecrets = async (bench: Bench, files: readonly string[]): Promise<SecretlintFile[]> => {
  const config = join(bench.root, 'scripts/security/secretlint.json')
  const args = ['--secretlintrc', config, '--no-glob', '--format', 'json', '--maskSecrets', ...files]
  const output = await runTool(bench, 'secretlint/bin/secretlint.js', args)
  return parseJson('secretlint', output.stdout, output)
}

const shortRule = (id: string) => id.replace('@secretlint/secretlint-rule-', '')

const secretsInTree = async (bench: Bench): Promise<Finding[]> => {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: bench.root })
  const files = stdout
    .split('\0')
    .filter((file) => file && !NO_TEXT.test(file) && existsSync(join(bench.root, file)))
  return (await findSecrets(bench, files)).flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message, loc }) => ({
      where: `${shortRule(ruleId)} ${relative(bench.root, filePath)}`,
      line: loc.start.line,
      what: message,
    })),
  )
}

/** The file that a line of `git log -p` belongs to. */
const fileAt = (lines: readonly string[], line: number): string => {
  for (let at = line; at > 0; at--) {
    const name = lines[at]?.match(/^\+\+\+ b\/(.*)/)?.[1] ?? lines[at]?.match(/^--- a\/(.*)/)?.[1]
    if (name) return name
  }
  return 'a commit’s message'
}

const secretsInHistory = async (bench: Bench): Promise<Finding[]> => {
  const { stdout, code, stderr } = await run('git', ['log', '-p', 'HEAD'], { cwd: bench.root })
  if (code !== 0) throw new Skipped(`there is no history to read: ${stderr.trim()}`)
  const file = join(bench.scratch, 'history.txt')
  await writeFile(file, stdout)
  const lines = stdout.split('\n')
  const seen = (await findSecrets(bench, [file])).flatMap(({ messages }) =>
    messages.map(({ ruleId, message, loc }) => ({
      where: `${shortRule(ruleId)} ${fileAt(lines, loc.start.line - 1)}`,
      what: message,
    })),
  )
  // Each line comes once when it was added and once when it went.
  return [...new Map(seen.map((finding) => [finding.where, finding])).values()]
}

type EslintFile = { filePath: string; messages: { ruleId: string | null; line: number; message: string }[] }

const lint = async (bench: Bench): Promise<Finding[]> => {
  const config = join(bench.root, 'scripts/security/eslint.config.mjs')
  const args = [
    '--no-config-lookup',
    '--no-inline-config',
    '-c',
    config,
    '-f',
    'json',
    'apps',
    'packages',
    'scripts',
  ]
  const output = await runTool(bench, 'eslint/bin/eslint.js', args, { env: { ESLINT_FOLDER: bench.tools } })
  return parseJson<EslintFile[]>('eslint', output.stdout, output).flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, line, message }) => ({
      where: `${ruleId ?? 'not-readable'} ${relative(bench.root, filePath)}`,
      line,
      what: message,
    })),
  )
}

type RetireReport = {
  data: {
    file?: string
    results: {
      component: string
      version: string
      vulnerabilities?: { severity: string; info: string[] }[]
    }[]
  }[]
}

const findRetired = async (bench: Bench): Promise<Finding[]> => {
  const report = join(bench.scratch, 'retire.json')
  // Its list is a download of its own. Where that is not to be had, a copy is taken.
  const kept = process.env.RETIRE_DATA || join(TOOLS, 'jsrepository-v5.json')
  const data = existsSync(kept) ? ['--jsrepo', kept] : []
  const args = ['--path', bench.root, '--outputformat', 'json', '--outputpath', report, ...data]
  const output = await runTool(bench, 'retire/lib/cli.js', args)
  const text = existsSync(report) ? await readFile(report, 'utf8') : ''
  if (!text && data.length === 0)
    throw new Skipped(
      `its list could not be downloaded; put jsrepository-v5.json of github.com/RetireJS/retire.js at ${kept}`,
    )
  return parseJson<RetireReport>('retire', text, output).data.flatMap(({ file = '', results }) =>
    results.flatMap(({ component, version, vulnerabilities = [] }) =>
      vulnerabilities.map(({ severity, info }) => ({
        where: `${component}@${version} ${relative(bench.root, file)}`,
        what: `${severity}: ${info[0] ?? ''}`,
      })),
    ),
  )
}

type Versions = { current?: string; latest: string }
/** A list where several of our packages depend on it. */
type Outdated = Record<string, Versions | Versions[]>
const majorOf = (version: string) => Number(version.split('.')[0])

/** Direct packages that are a major version behind. The registry's answer is needed for it. */
const findOutdated = async ({ root }: Bench): Promise<Finding[]> => {
  const output = await run('npm', ['outdated', '--json'], { cwd: root })
  const packages = parseJson<Outdated | { error: unknown }>('npm outdated', output.stdout || '{}', output)
  if ('error' in packages || (output.code !== 0 && !output.stdout))
    throw new Skipped('the registry does not report what is outdated')
  return Object.entries(packages as Outdated)
    .map(([name, versions]) => ({ name, ...[versions].flat()[0] }))
    .filter(({ current, latest }) => current && latest && majorOf(latest) > majorOf(current))
    .map(({ name, current, latest }) => ({ where: name, what: `${current} here, ${latest} there` }))
}

type Lockfile = { packages: Record<string, { deprecated?: string; version?: string }> }

/** The lockfile keeps what the registry said when a package was added. */
const findDeprecated = async ({ root }: Bench): Promise<Finding[]> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  return Object.entries(packages).flatMap(([path, { deprecated, version }]) =>
    deprecated ? [{ where: `${path.split('node_modules/').at(-1)}@${version}`, what: deprecated }] : [],
  )
}

export const SOURCE_CHECKERS: readonly Checker[] = [
  { name: 'secrets', what: 'secretlint on every file', packages: SECRETLINT, run: secretsInTree },
  { name: 'history', what: 'secretlint on every commit', packages: SECRETLINT, run: secretsInHistory },
  {
    name: 'eslint',
    what: 'the rules of security, no-unsanitized and regexp on the source',
    // TypeScript 5, because the parser does not know the project's own.
    packages: [
      'eslint@10.15.0',
      'eslint-plugin-security@4.1.0',
      'eslint-plugin-no-unsanitized@4.1.5',
      'eslint-plugin-regexp@3.3.3',
      '@typescript-eslint/parser@8.73.0',
      'typescript@5.9.3',
    ],
    run: lint,
  },
  {
    name: 'patterns',
    what: 'every regular expression against texts that make it slow',
    run: findSlowPatterns,
  },
  { name: 'retire', what: 'packages with known holes', packages: ['retire@5.7.0'], run: findRetired },
  { name: 'outdated', what: 'direct packages that are a major version behind', run: findOutdated },
  { name: 'deprecated', what: 'packages that their makers gave up', run: findDeprecated },
]
