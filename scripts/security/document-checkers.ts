/** What reads the pages and the API's description. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { buildPages } from '../build-pages.ts'
import { type Bench, type Checker, type Finding, parseJson, run, runTool } from './checker.ts'

const DIST = 'apps/storefront/dist'

const describe = async ({ scratch, shop }: Bench): Promise<string> => {
  const file = join(scratch, 'openapi.json')
  const { url } = await shop()
  await writeFile(file, await (await fetch(`${url}/api/v1/openapi.json`)).text())
  return file
}

type RedoclyReport = {
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
}

const redocly = async (bench: Bench): Promise<Finding[]> => {
  const file = await describe(bench)
  const args = ['lint', file, '--format', 'json', '--max-problems', '1000']
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const output = await runTool(bench, '@redocly/cli/bin/cli.js', args, { cwd: bench.scratch, env })
  return parseJson<RedoclyReport>('redocly', output.stdout, output).problems.map(
    ({ ruleId, message, location }) => ({
      where: `${ruleId} ${location[0]?.pointer ?? ''}`,
      what: message,
    }),
  )
}

type SpectralProblem = { code: string; path: string[]; message: string }

const spectral = async (bench: Bench): Promise<Finding[]> => {
  const file = await describe(bench)
  const ruleset = join(bench.scratch, 'spectral.json')
  await writeFile(ruleset, JSON.stringify({ extends: ['spectral:oas'] }))
  const args = ['lint', file, '--ruleset', ruleset, '--fail-severity', 'hint', '--format', 'json', '--quiet']
  const output = await runTool(bench, '@stoplight/spectral-cli/dist/index.js', args)
  return parseJson<SpectralProblem[]>('spectral', output.stdout, output).map(({ code, path, message }) => ({
    where: `${code} ${path.join('.')}`,
    what: message,
  }))
}

type VnuReport = {
  messages: { type: string; subType?: string; url?: string; lastLine?: number; message: string }[]
}

const vnu = async ({ root }: Bench): Promise<Finding[]> => {
  await buildPages(root)
  const jar = join(root, 'node_modules/vnu-jar/build/dist/vnu.jar')
  const output = await run('java', ['-jar', jar, '--format', 'json', '--skip-non-html', DIST], { cwd: root })
  return (
    parseJson<VnuReport>('vnu', output.stderr, output)
      // Notes on style are neither errors nor warnings; React writes its elements as it does.
      .messages.filter(({ type, subType }) => type !== 'info' || subType === 'warning')
      .map(({ type, url = '', lastLine = 0, message }) => ({
        where: `${type} ${relative(join(root, DIST), new URL(url).pathname)}`,
        line: lastLine,
        what: message,
      }))
  )
}

type HtmlReport = { filePath: string; messages: { ruleId: string; line: number; message: string }[] }[]

const htmlValidate = async (bench: Bench): Promise<Finding[]> => {
  await buildPages(bench.root)
  const dist = join(bench.root, DIST)
  const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  )
  const config = join(bench.root, 'scripts/security/html-validate.json')
  const report = join(bench.scratch, 'html-validate.json')
  const args = ['--config', config, '--formatter', `json=${report}`, ...pages.map((page) => join(dist, page))]
  const output = await runTool(bench, 'html-validate/bin/html-validate.mjs', args)
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  return parseJson<HtmlReport>('html-validate', text, output).flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, line, message }) => ({
      where: `${ruleId} ${relative(dist, filePath)}`,
      line,
      what: message,
    })),
  )
}

export const DOCUMENT_CHECKERS: readonly Checker[] = [
  { name: 'redocly', what: 'the OpenAPI document', packages: ['@redocly/cli@2.77.0'], run: redocly },
  {
    name: 'spectral',
    what: 'the OpenAPI document, by other rules',
    packages: ['@stoplight/spectral-cli@6.16.3'],
    run: spectral,
  },
  {
    name: 'vnu',
    what: 'the pages, by the HTML standard',
    programs: { java: 'default-jre-headless' },
    run: vnu,
  },
  {
    name: 'html-validate',
    what: 'the pages, by stricter rules',
    packages: ['html-validate@11.18.0'],
    run: htmlValidate,
  },
]
