import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSameCode } from './same-code.ts'

/** The commit with which a change is compared, and the reason why it was chosen. */
export interface Base {
  readonly commit: string
  readonly why: string
}

export interface ChangedFiles {
  readonly base: Base
  /** Paths relative to the repository. A file that was both renamed and changed has both paths. */
  readonly paths: readonly string[]
  /** Files whose change has no effect on behavior: they were only renamed, or only comments and types changed. */
  readonly withoutEffect: readonly string[]
}

/** The number of commits back to the base in a fresh clone of main. */
const COMMITS_BACK = 60

/** Runs git. @throws Error with the output of git */
const git = (cwd: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
  return stdout
}

const commitOr = (cwd: string, revision: string): string | undefined => {
  try {
    return git(cwd, 'rev-parse', '--verify', '--quiet', `${revision}^{commit}`).trim()
  } catch {
    return undefined
  }
}

/**
 * Returns the base commit of a change: `asked` (KERF_CI_BASE), or else the merge base with the upstream branch. If the merge base is HEAD,
 * returns the commit sixty commits back, or else the first commit.
 * @throws Error if `asked` is not a commit of this repository
 */
const findBase = (cwd: string, asked: string | undefined): Base => {
  if (asked !== undefined && asked !== '') {
    const commit = commitOr(cwd, asked)
    if (commit === undefined)
      throw new Error(
        `KERF_CI_BASE is "${asked}", which is no commit of this repository: give a commit, a branch or a tag that was fetched`,
      )
    return { commit, why: `KERF_CI_BASE is ${asked}` }
  }
  const head = commitOr(cwd, 'HEAD') ?? ''
  const upstream = ['@{upstream}', 'origin/HEAD', 'origin/main', 'main'].find(
    (name) => commitOr(cwd, name) !== undefined,
  )
  if (upstream !== undefined) {
    const merge = commitOr(cwd, git(cwd, 'merge-base', 'HEAD', upstream).trim())
    if (merge !== undefined && merge !== head) return { commit: merge, why: `merge base with ${upstream}` }
  }
  const back = commitOr(cwd, `HEAD~${COMMITS_BACK}`)
  if (back !== undefined) return { commit: back, why: `HEAD is upstream: ${COMMITS_BACK} commits back` }
  const first = git(cwd, 'rev-list', '--max-parents=0', 'HEAD').trim().split('\n').at(-1) ?? head
  return { commit: first, why: 'HEAD is upstream: the first commit of this clone' }
}

/** Returns the changes since the base, including uncommitted changes. */
export const changedFiles = (cwd: string, asked: string | undefined): ChangedFiles => {
  const base = findBase(cwd, asked)
  const fields = git(cwd, 'diff', '--name-status', '-z', '-M', base.commit).split('\0')
  const paths: string[] = []
  const withoutEffect: string[] = []
  const versionAtBase = (path: string): string => git(cwd, 'show', `${base.commit}:${path}`)
  const versionNow = (path: string): string => readFileSync(join(cwd, path), 'utf8')
  for (let at = 0; at < fields.length; ) {
    const status = fields[at] ?? ''
    if (status === '') break
    const isRename = /^[RC]/.test(status)
    const before = fields[at + 1] ?? ''
    const after = isRename ? (fields[at + 2] ?? '') : before
    at += isRename ? 3 : 2
    const isComparable = (isRename || status === 'M') && /\.tsx?$/.test(after)
    const isSame = status === 'R100' || (isComparable && isSameCode(after, versionAtBase(before), versionNow(after)))
    if (isSame) withoutEffect.push(after)
    else paths.push(...new Set([before, after]))
  }
  paths.push(
    ...git(cwd, 'ls-files', '-o', '--exclude-standard', '-z')
      .split('\0')
      .filter((path) => path !== ''),
  )
  return { base, paths, withoutEffect }
}
