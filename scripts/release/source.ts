/** What a release is made of: one commit, whose tag, package.json and changelog say the same version. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sectionOf } from './changelog.ts'

/** Something that stands in the way of a release, in one line. */
export class ReleaseFault extends Error {}

export type Source = {
  version: string
  commit: string
  /** Of the commit: what every file of the release is dated by. */
  date: Date
}

const git = (root: string, ...args: string[]): string => {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new ReleaseFault(`git ${args[0]} failed: ${error?.message ?? stderr.trim()}`)
  return stdout.trim()
}

/** A version that sorts before the one that it will be, and names its commit. */
const trialVersion = (version: string, commit: string) => `${version}-trial.g${commit.slice(0, 8)}`

/** Throws a ReleaseFault for what is no release; a trial only has to be committed. */
export const readSource = (root: string, { isTrial }: { isTrial: boolean }): Source => {
  const commit = git(root, 'rev-parse', '--verify', 'HEAD')
  const date = new Date(git(root, 'show', '--no-patch', '--format=%cI', 'HEAD'))
  if (git(root, 'status', '--porcelain') !== '')
    throw new ReleaseFault(
      'The working copy has changes that are not committed; a release is made of a commit.',
    )
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  if (isTrial) return { version: trialVersion(version, commit), commit, date }
  const tag = `v${version}`
  if (!git(root, 'tag', '--points-at', 'HEAD').split('\n').includes(tag))
    throw new ReleaseFault(
      `This commit has no tag ${tag}, which package.json's version wants. Make it (git tag -a ${tag}), or try with --trial.`,
    )
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  if (!sectionOf(changelog, version)) throw new ReleaseFault(`CHANGELOG.md has no section ${version}.`)
  if (sectionOf(changelog, 'Unreleased'))
    throw new ReleaseFault(
      `CHANGELOG.md has entries under Unreleased: give them the version that they come with.`,
    )
  return { version, commit, date }
}
