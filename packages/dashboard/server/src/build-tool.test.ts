import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { errorCatalogue } from '@kerf/runtime'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runTool } from './build-tool.ts'

/** Creates a folder `plugin` that contains one tool. */
const pluginWith = (tool: string): { readonly plugin: string; readonly path: string } => {
  const repository = mkdtempSync(join(tmpdir(), 'kerf-build-tool-'))
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }))
  const plugin = join(repository, 'plugin')
  mkdirSync(plugin)
  const path = join(plugin, 'tool.cjs')
  writeFileSync(path, tool)
  return { plugin, path }
}

test('a tool and the processes it starts run in the plugin’s folder with the same Node', async () => {
  // The output of a tool is shown only if the tool fails.
  const { plugin, path } = pluginWith(`
    const { NODE_ENV, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD, HOME, PATH } = process.env
    console.error(JSON.stringify([process.cwd(), process.argv.slice(2), NODE_ENV, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD, HOME, PATH]))
    process.exitCode = 1`)
  const { NODE_ENV: _, HOME = '', PATH = '' } = process.env
  const given = [plugin, ['build', '--fast'], '', '1', HOME, `${dirname(process.execPath)}${delimiter}${PATH}`]
  await expect(runTool(plugin, process.execPath, [path, 'build', '--fast'])).rejects.toMatchObject({
    code: 'DashboardBuild',
    message: expect.stringContaining(
      `cannot build the dashboard: node plugin/tool.cjs build --fast failed: ${JSON.stringify(given)}`,
    ),
  })
})

test('a successful tool produces no output', async () => {
  const { plugin, path } = pluginWith("console.log('all is well')")
  await expect(runTool(plugin, process.execPath, [path])).resolves.toBeUndefined()
})

test('a failure shows the last five lines of stdout and stderr, or the exit status if there are none', async () => {
  const { plugin, path } = pluginWith(`
    const write = require('node:fs').writeSync
    write(1, 'too long ago\\n' + '  line \\n\\n'.repeat(3000))
    write(1, '  the reason  \\n\\nits place\\n')
    process.exitCode = 3`)
  await expect(runTool(plugin, process.execPath, [path])).rejects.toThrow(
    'failed: line | line | line | the reason | its place',
  )
  await expect(runTool(plugin, process.execPath, ['-e', 'process.exitCode = 4'])).rejects.toThrow('failed: 4')
  await expect(runTool(plugin, process.execPath, ['-e', "process.kill(process.pid, 'SIGKILL')"])).rejects.toThrow(
    'failed: SIGKILL',
  )
})

test('a missing tool is reported', async () => {
  const { plugin } = pluginWith('')
  await expect(runTool(plugin, join(plugin, 'none'), ['build'])).rejects.toThrow(
    /: plugin\/none build failed: .*ENOENT/,
  )
})

test('npm runs without a shell, so its arguments arrive unchanged', async () => {
  const { plugin, path } = pluginWith('#!/bin/sh\necho "$# $1" >&2\nexit 1\n')
  const npm = join(dirname(path), 'npm')
  renameSync(path, npm)
  chmodSync(npm, 0o755)
  vi.stubEnv('PATH', `${plugin}${delimiter}${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(runTool(plugin, 'npm', ['a b'])).rejects.toThrow('npm a b failed: 1 a b')
})

test('aborting the signal ends the tool', async () => {
  const { plugin, path } = pluginWith('setInterval(() => undefined, 1_000)')
  const caller = new AbortController()
  const run = runTool(plugin, process.execPath, [path], caller.signal)
  caller.abort()
  await expect(run).rejects.toThrow(/failed: .*abort/)
})

test.each([
  ['DashboardBuild', /cannot be installed or bundled/, /npm ci failed: network unreachable$/, /^check that npm/],
  ['ProxyRefused', /SOCKS5 proxy of the kubeconfig/, /rejects the user name and password$/, /^check proxy-url/],
])('the error reference says when %s occurs, and has its message and its remedy', (code, when, text, next) => {
  const entry = errorCatalogue().find((each) => each.code === code)
  expect([entry?.area, entry?.exitCode]).toEqual(['dashboard', 1])
  expect(entry?.when).toMatch(when)
  const reference = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const [, ofDashboard = ''] = reference.split('\n## dashboard\n')
  for (const part of [`\n${entry?.when}\n`, `\`${entry?.text}\`\n`, `: ${entry?.next}\n`])
    expect(ofDashboard).toContain(part)
  expect(entry?.next).toMatch(next)
  expect(entry?.text).toMatch(text)
})
