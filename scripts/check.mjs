// npm run check: types, format and lint, the rules of the house, generated files. Runs all of them at once, fails if one fails.
import { spawn } from 'node:child_process'
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

/** What it wrote, and whether it found fault. */
const run = ({ command, args }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ output: `${error.message}\n`, isGood: false }))
    child.on('close', (status) => resolve({ output: Buffer.concat(chunks).toString(), isGood: status === 0 }))
  })

const running = steps.map((step) => ({ name: step.name, ended: run(step) }))
const failed = []
for (const { name, ended } of running) {
  const { output, isGood } = await ended
  process.stdout.write(`── ${name}\n${output}`)
  if (!isGood) failed.push(name)
}
process.stdout.write(failed.length === 0 ? 'check: all good\n' : `check: failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
