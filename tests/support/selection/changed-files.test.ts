import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changedFiles } from './changed-files.ts'

let folder = ''
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text)
const commit = (): string => {
  git('add', '-A')
  git('commit', '-q', '--allow-empty', '-m', 'x')
  return git('rev-parse', 'HEAD').trim()
}
/**
 * Adds empty commits to the branch main in one call. Running `git commit` sixty times would take longer than all other tests of this file.
 */
const commitEmpty = (count: number): void => {
  const commits = Array.from({ length: count }, (_, index) =>
    [
      'commit refs/heads/main',
      'committer t <t@example.com> 1000000000 +0000',
      'data 1\nx',
      ...(index === 0 ? ['from refs/heads/main^0'] : []),
      '\n',
    ].join('\n'),
  )
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: commits.join('') })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kerf-changed-'))
  git('init', '-q', '-b', 'main')
  mkdirSync(join(folder, 'a'))
  write('a/moved.ts', 'export const moved = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n')
  write('a/comment.ts', '// old\nexport const x = 1\n')
  write('a/code.ts', 'export const y = 1\n')
  write('a/gone.ts', 'export const z = 1\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('moves and changed comments have no effect; new, changed and removed code has', () => {
  const base = commit()
  renameSync(join(folder, 'a/moved.ts'), join(folder, 'new.ts'))
  write('a/comment.ts', '// new\nexport const x: number = 1\n')
  rmSync(join(folder, 'a/gone.ts'))
  git('add', '-A')
  write('a/code.ts', 'export const y = 2\n')
  write('a/untracked.ts', '')
  const { paths, withoutEffect } = changedFiles(folder, base)
  expect(paths).toEqual(['a/code.ts', 'a/gone.ts', 'a/untracked.ts'])
  expect(withoutEffect).toEqual(['a/comment.ts', 'new.ts'])
})

test('the base is the requested commit, the merge base with upstream, or the commit sixty commits back', () => {
  const first = commit()
  expect(changedFiles(folder, undefined).base).toEqual({
    commit: first,
    why: 'HEAD is upstream: the first commit of this clone',
  })
  git('checkout', '-q', '-b', 'topic')
  const second = commit()
  expect(changedFiles(folder, undefined).base).toEqual({ commit: first, why: 'merge base with main' })
  expect(changedFiles(folder, 'topic').base).toEqual({ commit: second, why: 'KERF_CI_BASE is topic' })
  expect(() => changedFiles(folder, 'nowhere')).toThrow(
    'KERF_CI_BASE is "nowhere", which is no commit of this repository: give a commit, a branch or a tag that was fetched',
  )
  git('checkout', '-q', 'main')
  commitEmpty(60)
  expect(changedFiles(folder, undefined).base).toEqual({
    commit: first,
    why: 'HEAD is upstream: 60 commits back',
  })
})
