/** The image: the shop's archive on a base of Node.js and the libraries that it is linked with, built without a registry. */
import { spawnSync } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packContent } from './archive.ts'
import { run } from './npm.ts'
import type { Source } from './source.ts'

const PROGRAMS = ['buildah', 'apt-get', 'dpkg-deb']

/** Why no image can be made here; undefined where it can. */
export const missingForImage = (): string | undefined => {
  const missing = PROGRAMS.filter((program) => spawnSync('which', [program]).status !== 0)
  if (missing.length > 0) return `${missing.join(', ')} missing: images are made on Debian, with buildah`
  return undefined
}

/** Debian's packages of the libraries that Node.js and the password hash are linked with. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6']
/** Of them nothing but these: no tools, no character sets. */
const LIBRARIES = /^(?:ld-linux.*|lib(?:c|m|dl|pthread|rt|resolv|nss_dns|nss_files|gcc_s|stdc\+\+)\.so\..*)$/

/** The user that every official image of Node.js has, too. */
const FILES: Readonly<Record<string, string>> = {
  'etc/passwd': 'root:x:0:0:root:/root:/sbin/nologin\nnode:x:1000:1000:node:/tmp:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnode:x:1000:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
}

/** Takes a package's libraries, its licence, and what scanners look for to know its version. */
const takePackage = async (work: string, name: string, base: string): Promise<void> => {
  const from = join(work, name)
  await mkdir(from)
  await run('apt-get', ['download', '-qq', name], { cwd: from })
  const [deb = ''] = await readdir(from)
  await run('dpkg-deb', ['--extract', deb, 'files'], { cwd: from })
  const entries = await readdir(join(from, 'files'), { recursive: true, withFileTypes: true })
  for (const { parentPath, name: file } of entries.filter((entry) => LIBRARIES.test(entry.name))) {
    const path = join(parentPath.slice(join(from, 'files').length + 1), file)
    // Debian's /lib and /lib64 are links to those of /usr by now, whatever the package says.
    const to = join(base, path.startsWith('usr/') ? path : join('usr', path))
    await mkdir(join(to, '..'), { recursive: true })
    await cp(join(parentPath, file), to, { verbatimSymlinks: true })
  }
  // In the package it may be a link to another's.
  await mkdir(join(base, 'usr/share/doc', name), { recursive: true })
  const licence = join('usr/share/doc', name, 'copyright')
  await copyFile(join('/', licence), join(base, licence))
  await writeFile(
    join(base, 'var/lib/dpkg/status.d', name),
    await run('dpkg-deb', ['--field', deb], { cwd: from }),
  )
}

const makeBase = async (work: string, base: string, node: string): Promise<void> => {
  for (const folder of ['etc', 'tmp', 'proc', 'dev', 'sys', 'opt', 'usr/local/bin', 'var/lib/dpkg/status.d'])
    await mkdir(join(base, folder), { recursive: true })
  await chmod(join(base, 'tmp'), 0o1777)
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(base, path), text)
  for (const name of PACKAGES) await takePackage(work, name, base)
  for (const name of ['lib', 'lib64']) await symlink(`usr/${name}`, join(base, name))
  await copyFile(node, join(base, 'usr/local/bin/node'))
  await chmod(join(base, 'usr/local/bin/node'), 0o755)
}

const BASE_FILE = `FROM scratch
COPY base /
COPY --chown=1000:1000 cache /var/cache/hedgerow
ENV PATH=/usr/local/bin
`

type Image = {
  /** A folder for what is needed on the way. */
  work: string
  /** Has the shop's archive. */
  folder: string
  containerfile: string
  node: string
  source: Source
  name: string
}

/** Dated by the commit throughout, so that it comes out the same wherever the libraries are. */
export const makeImage = async ({
  work,
  folder,
  containerfile,
  node,
  source,
  name,
}: Image): Promise<void> => {
  const { version, commit, date } = source
  const base = join(work, 'base')
  await mkdir(base)
  await makeBase(work, base, node)
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]) => run('buildah', [...storage, ...args], { cwd: folder })
  const dated = ['--isolation', 'chroot', '--timestamp', String(Math.floor(date.getTime() / 1000)), '--quiet']
  const baseFile = join(work, 'Containerfile.base')
  // The one folder that the process may write to, where a volume keeps the scripts of all versions' pages.
  await mkdir(join(work, 'cache'))
  await writeFile(baseFile, BASE_FILE)
  try {
    await buildah('bud', ...dated, '--file', baseFile, '--tag', 'hedgerow-base', work)
    const labels = {
      version,
      revision: commit,
      created: date.toISOString(),
      licenses: 'MIT',
      title: 'Hedgerow',
    }
    await buildah(
      'bud',
      ...dated,
      ...['--build-arg', 'BASE=localhost/hedgerow-base', '--build-arg', `VERSION=${version}`],
      ...Object.entries(labels).flatMap(([key, value]) => [
        '--label',
        `org.opencontainers.image.${key}=${value}`,
      ]),
      ...['--file', containerfile, '--tag', 'hedgerow', folder],
    )
    const layout = join(work, 'layout')
    await buildah('push', '--quiet', 'localhost/hedgerow', `oci:${layout}:hedgerow:${version}`)
    await packContent(layout, join(folder, name), date)
  } finally {
    // Without root one cannot delete what belongs to an image's users.
    await buildah('rmi', '--all', '--force')
  }
}
