import { type Block, type Run, readMarkdown } from './markdown.ts'

const plain = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

const linesOf = (block: Block): string => {
  if (block.kind === 'heading') return block.level === 1 ? block.text.toUpperCase() : block.text
  if (block.kind === 'list') return block.items.map((item) => `- ${plain(item)}`).join('\n')
  return plain(block.runs)
}

/** A legal text as one line for each paragraph, heading and item: what shows it breaks the lines where they have to be. */
export const legalText = (source: string): string => `${readMarkdown(source).map(linesOf).join('\n\n')}\n`
