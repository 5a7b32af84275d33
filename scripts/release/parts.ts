import { readFile, writeFile } from 'node:fs/promises'
import { run } from './npm.ts'
import type { Source } from './source.ts'

type Sbom = { serialNumber: string; metadata: { timestamp: string } }

/** The commit's first half as a UUID: a list made again is the same one. */
const serialOf = ({ commit }: Source) =>
  `urn:uuid:${commit.slice(0, 8)}-${commit.slice(8, 12)}-8${commit.slice(13, 16)}-8${commit.slice(17, 20)}-${commit.slice(20, 32)}`

/** The list of what runs in production, as CycloneDX. */
export const writeParts = async (sources: string, source: Source, file: string): Promise<void> => {
  await run(process.execPath, ['scripts/sbom.ts', '--omit-dev', '--out', file], { cwd: sources })
  const { serialNumber: _, metadata, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Sbom
  const dated = {
    ...rest,
    serialNumber: serialOf(source),
    metadata: { ...metadata, timestamp: source.date.toISOString() },
  }
  await writeFile(file, `${JSON.stringify(dated, null, 2)}\n`)
}
