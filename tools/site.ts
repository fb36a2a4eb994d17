// npm run site: builds the site from docs/ into docs/site/dist. Installs the site's toolchain first if it is missing.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repository, stagePages } from '../docs/site/stage.ts'
import { conformancePages } from './conformance/conformance-pages.ts'
import { isInstalled } from './pinned-node.mjs'

const folder = join(repository, 'docs', 'site')
const run = (command: string, args: readonly string[]): void => {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status === 0) return
  process.stderr.write(`site: ${command} ${args.join(' ')} failed; see the lines above\n`)
  process.exit(1)
}

if (!isInstalled(folder)) {
  process.stderr.write('Installing the toolchain of the site (once per change of its lock file, half a minute) …\n')
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
}
for (const { path, content } of await conformancePages()) {
  const file = join(repository, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
const { pages, sources } = stagePages()
run(process.execPath, [join('node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build', '.'])
process.stdout.write(`docs/site/dist: ${pages} pages, ${sources} files of the repository that they link to\n`)
