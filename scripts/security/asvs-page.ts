/** Reads docs/security/asvs.md, and tells what of it does not hold. */

/** A requirement is met, is about what the shop does not have, is left unmet by choice, or is not answered to the end. */
const ANSWERS = ['met', 'does not apply', 'not met', 'pending'] as const
type Answer = (typeof ANSWERS)[number]

const ROW = /^\| (\d+\.\d+\.\d+) \|/
const CELLS = /^\| \S+ \| (\d) \| ([^|]+) \| ([^|]+) \|( <!-- pending -->)?$/
/** A link to a file of the repository, or the title of a test in the file that was linked before it. */
const PARTS = /\[[^\]]+\]\(([^)]*)\)|\*([^*]+)\*/g
const IS_TEST = /\.(?:test|spec)\.tsx?$/

type Row = { number: string; level: number; text: string; isPending: boolean }

/** Undefined for what is no row; a text for one that cannot be read. */
const rowOf = (line: string): Row | string | undefined => {
  const number = ROW.exec(line)?.[1]
  if (!number) return undefined
  const [, level, , text = '', pending] = CELLS.exec(line) ?? []
  return level
    ? { number, level: Number(level), text: text.trim(), isPending: pending !== undefined }
    : `${number}: the row does not have four cells`
}

const answerOf = ({ text, isPending }: Row): Answer => {
  if (isPending) return 'pending'
  if (text.startsWith('Not met: ')) return 'not met'
  return text.startsWith('Does not apply: ') ? 'does not apply' : 'met'
}

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const hasHeading = (page: string, anchor: string): boolean =>
  page.split('\n').some((line) => /^#+ /.test(line) && anchorOf(line.replace(/^#+ /, '')) === anchor)

/** Titles stand in quotes; one that is put together when it runs is named by nothing. */
const hasTitle = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted))

/** Returns the text of a file by its path from the repository's root, or undefined where there is none. */
export type ReadFile = (path: string) => string | undefined

const faultOfLink = (target: string, readFile: ReadFile): string | undefined => {
  const [path = '', anchor] = target.split('#')
  if (!path.startsWith('/')) return `${target} is not written from the repository’s root`
  const text = readFile(path.slice(1))
  if (text === undefined) return `there is no file ${path.slice(1)}`
  return anchor === undefined || hasHeading(text, anchor) ? undefined : `${target} leads to no heading`
}

const faultOfTitle = (title: string, path: string, readFile: ReadFile): string | undefined => {
  if (!IS_TEST.test(path)) return `"${title}" is not written behind the file of a test`
  const source = readFile(path.slice(1))
  // That it is missing is said of the link.
  return source === undefined || hasTitle(source, title)
    ? undefined
    : `${path.slice(1)} has no test "${title}"`
}

const faultsOfRow = (row: Row, level: number | undefined, readFile: ReadFile): string[] => {
  const faults = []
  if (level === undefined) faults.push('it is not asked for')
  else if (row.level !== level) faults.push(`it is of level ${level}, not ${row.level}`)
  let path = ''
  for (const [, target, title] of row.text.matchAll(PARTS)) {
    if (target !== undefined) path = target
    faults.push(
      target === undefined ? faultOfTitle(title ?? '', path, readFile) : faultOfLink(target, readFile),
    )
  }
  if (answerOf(row) === 'met' && path === '') faults.push('no file is named that meets it')
  return faults.flatMap((fault) => (fault === undefined ? [] : [`${row.number}: ${fault}`]))
}

const tallyOf = (rows: readonly Row[]): string => {
  const times = Map.groupBy(rows, answerOf)
  return ANSWERS.map((answer) => [times.get(answer)?.length ?? 0, answer] as const)
    .filter(([count, answer]) => count > 0 || answer !== 'pending')
    .map(([count, answer]) => `${count} ${answer}`)
    .join(', ')
}

type Options = {
  /** The level of each requirement, by its number. */
  requirements: ReadonlyMap<string, number>
  readFile: ReadFile
  /** Whether rows may say that they are not written to the end. */
  mayPend?: boolean
}

/**
 * Returns a line for each fault: a requirement that is answered never or twice, a file, heading or test that is not there, and
 * a summary that does not count what follows.
 */
export const faultsOf = (page: string, { requirements, readFile, mayPend = false }: Options): string[] => {
  const lines = page.split('\n').map(rowOf)
  const rows = lines.filter((row): row is Row => typeof row === 'object')
  const times = Map.groupBy(rows, ({ number }) => number)
  const tally = tallyOf(rows)
  return [
    ...lines.filter((row) => typeof row === 'string'),
    ...[...requirements.keys()].filter((number) => !times.has(number)).map((one) => `${one}: not answered`),
    ...[...times].filter(([, { length }]) => length > 1).map(([one]) => `${one}: answered more than once`),
    ...rows.flatMap((row) => faultsOfRow(row, requirements.get(row.number), readFile)),
    ...(mayPend ? [] : rows.filter(({ isPending }) => isPending).map(({ number }) => `${number}: pending`)),
    ...(page.includes(`**${tally}**`) ? [] : [`the summary does not say: ${tally}`]),
  ]
}
