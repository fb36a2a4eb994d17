import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const scripts = fileURLToPath(new URL('.', import.meta.url))

/**
 * Creates a folder that looks like a clone of the repository after `npm ci`. Its only program prints which Node.js runs it. `pinned` is the
 * content of the file in place of the pinned Node.js executable.
 */
const clone = ({ version = process.versions.node, pinned }: { version?: string; pinned?: string }) => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-clone-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const path of ['scripts', 'packages/cli/src', 'node_modules/node/bin'])
    mkdirSync(join(folder, path), { recursive: true })
  for (const name of ['run.mjs', 'pinned-node.mjs']) cpSync(join(scripts, name), join(folder, 'tools', name))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', devDependencies: { node: version } }))
  for (const lock of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(join(folder, lock), '{"packages": {}}')
  writeFileSync(
    join(folder, 'packages/cli/src/main.ts'),
    'const [first] = process.env.PATH.split(":")\nconsole.log(process.execPath, first, ...process.argv.slice(2)); process.exitCode = 3\n',
  )
  const node = join(folder, 'node_modules/node/bin/node')
  if (pinned !== undefined) {
    writeFileSync(node, pinned)
    chmodSync(node, 0o755)
  }
  const run = spawnSync(process.execPath, [join(folder, 'tools/run.mjs'), 'plan'], { encoding: 'utf8' })
  return { code: run.status, stdout: run.stdout, stderr: run.stderr, folder }
}

/** A program as on Alpine: the file exists, but its loader does not. */
const OTHER_LIBRARY = '#!/lib/ld-musl-missing.so.1\n'

test.runIf(process.platform !== 'win32').each([
  ['missing, because install scripts are off', {}],
  ['for another C library', { pinned: OTHER_LIBRARY }],
])('if the pinned Node is %s, the running Node is used', (_what, options) => {
  expect(clone(options)).toMatchObject({
    code: 3,
    stdout: `${process.execPath} ${dirname(process.execPath)} plan\n`,
    stderr: '',
  })
})

test.runIf(process.platform !== 'win32')(
  'if the running Node is too old, the error says what to do, and nothing is installed again',
  () => {
    const missing = clone({ version: '99.1.0' })
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toBe(
      `kerf: the pinned Node 99.1.0 is not there: npm did not run its install script (ignore-scripts). Allow this one with: npm rebuild node --ignore-scripts=false, or use Node 99 or newer (this is ${process.versions.node}), or kerf.mjs of a release, which any Node from 20 on runs.\n`,
    )
    const other = clone({ version: '99.1.0', pinned: OTHER_LIBRARY })
    expect(other.code).toBe(1)
    expect(other.stderr).toMatch(
      /^kerf: the pinned Node 99\.1\.0 does not start here .*glibc.*, or use Node 99 or newer /,
    )
  },
)
