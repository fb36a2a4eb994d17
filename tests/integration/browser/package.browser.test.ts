import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'kerf plugin '))
afterAll(() => rmSync(out, { recursive: true, force: true }))

test('Headlamp’s own tool can package the plugin, and the metadata matches the archive', () => {
  const url = 'https://example.com/kerf.tar.gz'
  const run = spawnSync(process.execPath, ['tools/package-plugin.ts', '--out', out, '--archive-url', url], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(run.stderr.split('\n').filter((line) => line.startsWith('package-plugin'))).toEqual([])
  expect(run.status).toBe(0)
  const archive = readdirSync(out).find((name) => name.endsWith('.tar.gz')) ?? ''
  const bytes = readFileSync(join(out, archive))
  const metadata = parse(readFileSync(join(out, 'artifacthub-pkg.yml'), 'utf8')) as Readonly<Record<string, unknown>>
  expect(metadata['annotations']).toMatchObject({
    'headlamp/plugin/archive-url': url,
    'headlamp/plugin/archive-checksum': `SHA256:${createHash('sha256').update(bytes).digest('hex')}`,
    'headlamp/plugin/version-compat': expect.stringMatching(/^>=\d/),
    'headlamp/plugin/distro-compat': expect.stringContaining('in-cluster'),
  })
  const files = execFileSync('tar', ['tzf', join(out, archive)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .sort()
  const names = ['README.md', 'main.js', 'package.json'].map((name) => `headlamp-plugin/${name}`)
  expect(files).toEqual(['headlamp-plugin/', ...names])
  // Headlamp reads from this file whether the plugin is compatible with Headlamp's version.
  const shipped = JSON.parse(
    execFileSync('tar', ['xzOf', join(out, archive), 'headlamp-plugin/package.json'], { encoding: 'utf8' }),
  ) as { readonly version: string; readonly devDependencies: Readonly<Record<string, string>> }
  expect(shipped.version).toBe(metadata['version'])
  expect(shipped.devDependencies['@kinvolk/headlamp-plugin']).toMatch(/^\d/)
  const main = execFileSync('tar', ['xzOf', join(out, archive), 'headlamp-plugin/main.js'], {
    maxBuffer: 50_000_000,
  })
  const kilobytes = gzipSync(main).length / 1000
  expect(kilobytes).toBeLessThan(400)
  // The documented size must be correct to within five percent.
  const documented = Number(
    /plugin is (\d+) kB, compressed/.exec(readFileSync(join(root, 'docs/dashboard.md'), 'utf8'))?.[1],
  )
  expect(Math.abs(documented / kilobytes - 1)).toBeLessThan(0.05)
})
