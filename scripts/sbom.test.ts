import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('./sbom.ts', import.meta.url))
const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

type Component = { name: string; version: string; purl: string; hashes?: object[] }
type Lock = { version?: string; dev?: boolean; link?: boolean }

const sbom = (...args: string[]) =>
  spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8', maxBuffer: 2 ** 27 })

const componentsOf = (...args: string[]): Component[] => {
  const { bomFormat, specVersion, components } = JSON.parse(sbom(...args).stdout)
  expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.5'])
  return components
}

const packages = Object.entries(lockfile.packages as Record<string, Lock>)
const own = packages.flatMap(([path, { link }]) => (link ? [path.split('node_modules/').at(-1)] : []))
/** By name and version, those from the registry. */
const locked = (keep: (entry: Lock) => boolean) => [
  ...new Set(
    packages
      .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && keep(entry))
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  ),
]

test('the list of parts has every package of the lockfile and every one of our own', () => {
  const components = componentsOf()
  const names = components.map(({ name }) => name)
  expect(own).toHaveLength(20)
  expect(names).toEqual(expect.arrayContaining(own))
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  expect(listed).toEqual(expect.arrayContaining(locked(() => true)))
  const fastify = components.find(({ name }) => name === 'fastify')
  expect(fastify).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/fastify@/),
    hashes: [{ alg: 'SHA-512' }],
  })
})

test('it leaves out what only development needs, where that is asked for', () => {
  const listed = componentsOf('--omit-dev').map(({ name, version }) => `${name}@${version}`)
  expect(listed).toEqual(expect.arrayContaining(locked(({ dev }) => !dev)))
  const dev = new Set(locked(({ dev }) => dev === true))
  for (const needed of locked(({ dev }) => !dev)) dev.delete(needed)
  expect(listed.filter((name) => dev.has(name))).toEqual([])
})

test('it says what it does not know', () => {
  const { status, stderr } = sbom('--fast')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Unknown option '--fast'/)
})
