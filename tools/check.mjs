// npm run check: types, format and lint, unused code, the project's rules, and generated files. Runs the same checks for the dashboard
// plugin with its own tools. Runs all of them in parallel, and fails if one fails.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, isInstalled, pinnedNode, root } from './pinned-node.mjs'

ensureInstalled()
const bin = (name) => join(root, 'node_modules', '.bin', name)
const steps = [
  { name: 'types', command: bin('tsc'), args: ['--noEmit', '-p', '.'] },
  {
    name: 'format and lint',
    command: bin('biome'),
    args: ['check', '--error-on-warnings', '--diagnostic-level=warn', '.'],
  },
  {
    name: 'unused code',
    command: pinnedNode,
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  },
  { name: 'rules of the house', command: pinnedNode, args: ['tools/check-rules.ts'] },
  { name: 'generated files', command: pinnedNode, args: ['tools/generate.ts', '--check'] },
]

const plugin = join(root, 'packages', 'dashboard', 'plugin')
// These tools store their caches in the plugin's own folder `.kerf`, because several work trees may share `node_modules`.
const pluginTool = (file, ...args) => ({
  command: pinnedNode,
  args: [join('node_modules', file), ...args],
  cwd: plugin,
})
const pluginSteps = [
  {
    name: 'types of the plugin',
    ...pluginTool('typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', '.kerf/types.json'),
  },
  {
    name: 'rules of the house in the plugin',
    command: pinnedNode,
    args: ['tools/check-plugin-rules.ts'],
  },
  {
    name: 'lint of the plugin',
    ...pluginTool(
      'eslint/bin/eslint.js',
      ...['--config', 'package.json', '--ext', '.ts,.tsx', '--max-warnings', '0'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', '.kerf/lint.json', 'src'],
    ),
  },
  {
    name: 'format of the plugin',
    ...pluginTool(
      'prettier/bin-prettier.js',
      ...['--config', 'package.json', '--check', '--loglevel', 'warn'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', '.kerf/format.json', 'src'],
    ),
  },
]

/** Runs a step. Resolves to its output, and whether it failed. */
const run = ({ command, args, cwd = root }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ output: `${error.message}\n`, isGood: false }))
    child.on('close', (status) => resolve({ output: Buffer.concat(chunks).toString(), isGood: status === 0 }))
  })

/** `npm ci` does not install the plugin's toolchain, so it is installed while the other steps run. */
const installPlugin = async () => {
  if (isInstalled(plugin)) return { output: '', isGood: true }
  process.stderr.write(
    'Installing the toolchain of packages/dashboard/plugin (once per change of its lock file, two minutes) …\n',
  )
  return run({ command: pinnedNode, args: ['tools/install-plugin.ts'] })
}
const installed = installPlugin()
const afterInstall = async (step) =>
  (await installed).isGood ? run(step) : { output: 'not run: its toolchain is missing\n', isGood: false }

const running = [
  ...steps.map((step) => ({ name: step.name, ended: run(step) })),
  { name: 'toolchain of the plugin', ended: installed },
  ...pluginSteps.map((step) => ({ name: step.name, ended: afterInstall(step) })),
]
const failed = []
for (const { name, ended } of running) {
  const { output, isGood } = await ended
  process.stdout.write(`── ${name}\n${output}`)
  if (!isGood) failed.push(name)
}
process.stdout.write(failed.length === 0 ? 'check: all good\n' : `check: failed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
