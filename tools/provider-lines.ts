// Prints how many lines of TypeScript each provider has, in the work tree or in a commit. With the provider kit, a provider should only
// contain code that is specific to its cloud. Does not count tests, fakes (`src/testing/`) and generated tables.
// node tools/with-node.mjs tools/provider-lines.ts [COMMIT]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source-files.ts'

const git = (...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })

const [commit] = process.argv.slice(2)
const list =
  commit === undefined
    ? git('ls-files', '--cached', '--others', '--exclude-standard', 'providers')
    : git('ls-tree', '-r', '--name-only', commit, 'providers')
const pathText = (path: string): string =>
  commit === undefined ? readFileSync(join(root, path), 'utf8') : git('show', `${commit}:${path}`)

const isCounted = (path: string): boolean =>
  /^providers\/[^/]+\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/(?:testing|generated)\//.test(path)

const lines = new Map<string, number>()
for (const path of list.split('\n').filter(isCounted)) {
  const [, name = ''] = path.split('/')
  lines.set(name, (lines.get(name) ?? 0) + pathText(path).split('\n').length - 1)
}
for (const [name, count] of [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  process.stdout.write(`${name.padEnd(12)}${String(count).padStart(7)}\n`)
