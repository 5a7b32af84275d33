/** The part of Markdown that the legal texts need: headings, paragraphs, lists, one kind of note, and strong words. */
export type Run = { text: string; isStrong: boolean }

export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; text: string }
  | { kind: 'paragraph' | 'note'; runs: Run[] }
  | { kind: 'list'; items: Run[][] }

const joined = (lines: readonly string[]) => lines.map((line) => line.trim()).join(' ')

/** 'Before **strong** after', cut at the marks. */
const runsOf = (text: string): Run[] => {
  const parts = text.split('**')
  if (parts.length % 2 === 0) throw new Error(`A ** has no other: ${text}`)
  return parts.map((part, i) => ({ text: part, isStrong: i % 2 === 1 })).filter((run) => run.text !== '')
}

const itemsOf = (text: string): Run[][] =>
  text
    .slice(2)
    .split('\n- ')
    .map((item) => runsOf(joined(item.split('\n'))))

/** A list's lines begin with a hyphen; a long item goes on in lines that are indented. */
const isList = (lines: readonly string[]) =>
  lines[0]?.startsWith('- ') && lines.every((line) => /^(?:- | {2})\S/.test(line))

const blockOf = (text: string): Block => {
  const lines = text.split('\n')
  const [, marks, title] = text.match(/^(#{1,3}) (.+)$/) ?? []
  if (marks && title) return { kind: 'heading', level: marks.length as 1 | 2 | 3, text: title }
  if (isList(lines)) return { kind: 'list', items: itemsOf(text) }
  if (lines.every((line) => line.startsWith('> ')))
    return { kind: 'note', runs: runsOf(joined(lines.map((line) => line.slice(2)))) }
  if (/^(?:[#>`|]|\*(?!\*)|\d+\. )/.test(text)) throw new Error(`This is not known here: ${lines[0]}`)
  return { kind: 'paragraph', runs: runsOf(joined(lines)) }
}

/** Without what editors on Windows add; the mark at the beginning counts as a blank. */
export const readMarkdown = (source: string): Block[] =>
  source
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/)
    .map(blockOf)
