// npm run generate [-- --check]: writes every generated file. With --check, only reports which files are out of date.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './source-files.ts'

/** A file that a module in `tools/generators/` generates, as returned by its export `files`. */
interface GeneratedFile {
  /** The path relative to the repository. */
  readonly path: string
  readonly content: string
}

const directory = join(root, 'tools', 'generators')
const onlyCheck = process.argv.includes('--check')
const owner = new Map<string, string>()
let stale = 0

for (const name of readdirSync(directory)
  .filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts'))
  .sort()) {
  const { files } = (await import(pathToFileURL(join(directory, name)).href)) as {
    files?: () => Promise<readonly GeneratedFile[]>
  }
  if (files === undefined) throw new Error(`tools/generators/${name} must export files(): Promise<{ path, content }[]>`)
  for (const { path, content } of await files()) {
    const other = owner.get(path)
    if (other !== undefined) throw new Error(`${path} comes from two generators: ${other} and ${name}`)
    owner.set(path, name)
    const target = join(root, path)
    if (existsSync(target) && readFileSync(target, 'utf8') === content) continue
    stale += 1
    if (onlyCheck) {
      process.stdout.write(`${path} is not what tools/generators/${name} makes\n`)
    } else {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
      process.stdout.write(`wrote ${path}\n`)
    }
  }
}

if (onlyCheck && stale > 0) {
  process.stdout.write('remedy: npm run generate\n')
  process.exitCode = 1
} else {
  process.stdout.write(`${owner.size} generated files are up to date\n`)
}
