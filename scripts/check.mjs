// npm run check: types, format and lint, the rules of the house, generated files. Runs all of them, fails if one fails.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, pinnedNode, root } from './pinned-node.mjs'

ensureInstalled()
const bin = (name) => join(root, 'node_modules', '.bin', name)
const steps = [
  { name: 'types', command: bin('tsc'), args: ['--noEmit', '-p', '.'] },
  {
    name: 'format and lint',
    command: bin('biome'),
    args: ['check', '--error-on-warnings', '--diagnostic-level=warn', '.'],
  },
  { name: 'rules of the house', command: pinnedNode, args: ['scripts/check-rules.ts'] },
  { name: 'generated files', command: pinnedNode, args: ['scripts/generate.ts', '--check'] },
]

const failed = []
for (const { name, command, args } of steps) {
  process.stdout.write(`── ${name}\n`)
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) failed.push(name)
}
process.stdout.write(failed.length === 0 ? 'check: all good\n' : `check: failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
