import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export interface SourceFile {
  /** The path relative to the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** Returns the paths of all matching files in the repository, including new files that git does not track yet. */
export const trackedPaths = (pattern = '*'): readonly string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', pattern], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .sort()

/** Returns every file in the repository with that extension, except generated code. Includes new files that git does not track yet. */
export const sourceFiles = (pattern: '*.ts' | '*.tsx' | '*.mjs' | '*.md' | '*.yaml' = '*.ts'): readonly SourceFile[] =>
  trackedPaths(pattern)
    .filter((path) => !path.includes('/generated/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Folders that only tests use: the simple but slow engine with which the real engine is compared. */
const testSupport = ['packages/engine/src/testing/']

export const isTest = (path: string): boolean =>
  /\.test\.ts$|^tests\/(?!simulation\/|benchmarks\/|support\/builders\/)|\/test(ing|s)?\/|^providers\/[^/]+\/(bench|tables)\//.test(
    path,
  ) || testSupport.some((folder) => path.startsWith(folder))

/**
 * Replaces comments with blanks, so that line numbers do not change. Recognizes comments that start a line or follow a space; the
 * repository has no others.
 */
export const withoutComments = (text: string): string =>
  text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1')

/** Returns the line number at an index; the first line is 1. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
