import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** `npm test` installs them where it may. */
export const hasPdfTools = ['pdftotext', 'qpdf', 'pdffonts'].every(
  (tool) => spawnSync('which', [tool]).status === 0,
)

const withFile = async <T>(pdf: Uint8Array, use: (file: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-pdf-'))
  try {
    const file = join(folder, 'document.pdf')
    await writeFile(file, pdf)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What someone else's programs say of a document. Throws when one of them finds a fault in it. */
export const readPdf = (pdf: Uint8Array) =>
  withFile(pdf, async (file) => {
    const check = await run('qpdf', ['--check', file])
    const { stdout: text } = await run('pdftotext', ['-layout', file, '-'])
    const { stdout: facts } = await run('pdfinfo', [file])
    const { stdout: fonts } = await run('pdffonts', [file])
    return {
      /** In one line, with single spaces. */
      text: text
        // Around what is written from the right.
        .replace(/[\u202A-\u202E]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
      facts,
      /** Whether each font is embedded, cut down to what is used, and can be read back. */
      areFontsWhole: fonts
        .split('\n')
        .slice(2)
        .filter(Boolean)
        .every((line) => /yes yes yes\s+\d+\s+\d+$/.test(line.trim())),
      isClean: check.stdout.includes('No syntax or stream encoding errors'),
      pages: Number(facts.match(/Pages:\s+(\d+)/)?.[1]),
    }
  })
