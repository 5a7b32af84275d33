import { generateKeyPairSync, sign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { packTar, type TarHeader } from 'modern-tar'

type Entry = Partial<TarHeader> & { name: string; content?: string }

/** A .tar.gz of these entries, whatever they are. */
export const makeTar = async (entries: readonly Entry[]): Promise<Buffer> => {
  const files = entries.map(({ content = '', ...header }) => ({
    header: { size: Buffer.byteLength(content), ...header },
    body: content,
  }))
  return gzipSync(await packTar(files), { level: 1 })
}

type Contents = {
  version: string
  arch?: string
  name?: string
  /** The programs. */
  node?: string
  agent?: string
  more?: readonly Entry[]
}

/** An archive as a release makes it, small: its Node.js is a few words that start the one that runs here. */
export const makeArchive = ({
  version,
  arch = process.arch,
  name = 'hedgerow-agent',
  node = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
  agent = '',
  more = [],
}: Contents): Promise<Buffer> => {
  const folder = `hedgerow-agent-${version}-linux-${arch}`
  const release = JSON.stringify({ name, version, platform: 'linux', arch, commit: null })
  return makeTar([
    { name: `${folder}/agent.mjs`, content: agent },
    { name: `${folder}/install-agent.sh`, content: 'exit 1' },
    { name: `${folder}/node`, content: node, mode: 0o755 },
    { name: `${folder}/release.json`, content: release },
    ...more,
  ])
}

/** Someone who signs releases. */
export const aSigner = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    releaseKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (bytes: Buffer): string => sign(null, bytes, privateKey).toString('base64'),
  }
}
