import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSource } from './source.ts'

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-23\n\n- A button.\n'

/** A clone with one commit: its folder, and git in it. */
const aClone = (files: { version?: string; changelog?: string } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-source-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  git('init', '--quiet')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: files.version ?? '1.2.0' }))
  writeFileSync(join(folder, 'CHANGELOG.md'), files.changelog ?? CHANGELOG)
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin', '--date', '2026-11-23T10:00:00Z')
  return { folder, git }
}

const TAGGED = { isTrial: false }

describe('a release', () => {
  test('is of the commit that has the version’s tag', () => {
    const { folder, git } = aClone()
    git('tag', 'v1.2.0')
    const commit = git('rev-parse', 'HEAD')
    expect(readSource(folder, TAGGED)).toEqual({ version: '1.2.0', commit, date: expect.any(Date) })
  })

  test('is not made of a commit without the tag, or with another version’s', () => {
    const { folder, git } = aClone()
    expect(() => readSource(folder, TAGGED)).toThrow(/^This commit has no tag v1\.2\.0/)
    git('tag', 'v1.1.0')
    expect(() => readSource(folder, TAGGED)).toThrow(/no tag v1\.2\.0/)
  })

  test('is not made of what is not committed, a trial neither', () => {
    const { folder, git } = aClone()
    git('tag', 'v1.2.0')
    writeFileSync(join(folder, 'new.ts'), '')
    for (const isTrial of [false, true])
      expect(() => readSource(folder, { isTrial })).toThrow(/^The working copy has changes/)
  })

  test('has its section in the changelog, and nothing is left without a version there', () => {
    const without = aClone({ version: '1.3.0' })
    without.git('tag', 'v1.3.0')
    expect(() => readSource(without.folder, TAGGED)).toThrow('CHANGELOG.md has no section 1.3.0.')
    const uncut = aClone({ changelog: CHANGELOG.replace('## [1', '- A lever.\n\n## [1') })
    uncut.git('tag', 'v1.2.0')
    expect(() => readSource(uncut.folder, TAGGED)).toThrow(/entries under Unreleased/)
  })

  test('that is a trial says so in its version, and which commit it is of', () => {
    const { folder, git } = aClone({ changelog: '' })
    const { version } = readSource(folder, { isTrial: true })
    expect(version).toBe(`1.2.0-trial.g${git('rev-parse', 'HEAD').slice(0, 8)}`)
  })
})
