import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export interface SourceFile {
  /** Relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** Returns the paths of all files of the repository that match, tracked or new. */
export const trackedPaths = (pattern = '*'): readonly string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', pattern], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .sort()

/** Every file of the repository with that ending, tracked or new, generated code excepted. */
export const sourceFiles = (pattern: '*.ts' | '*.tsx' | '*.mjs' | '*.md' | '*.yaml' = '*.ts'): readonly SourceFile[] =>
  trackedPaths(pattern)
    .filter((path) => !path.includes('/generated/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Folders that only tests use: the slow engine that the fast one is compared with. */
const testSupport = ['packages/engine/src/testing/']

export const isTest = (path: string): boolean =>
  /\.test\.ts$|^tests\/(?!simulation\/|benchmarks\/|support\/builders\/)|\/test(ing|s)?\/|^providers\/[^/]+\/(bench|tables)\//.test(
    path,
  ) || testSupport.some((folder) => path.startsWith(folder))

/** The text with comments blanked, line numbers kept. Knows comments that start a line or follow a space, which all of ours do. */
export const withoutComments = (text: string): string =>
  text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** One-based. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
