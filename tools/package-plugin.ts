// npm run package:plugin [-- --archive-url URL] [--image-context DIR]: packages the plugin with Headlamp's own tool, and writes Artifact
// Hub's metadata. With --image-context, also writes the files that packages/dashboard/plugin/Dockerfile copies.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPlugin } from '@kerf/dashboard'
import { parse, stringify } from 'yaml'
import { programOptions } from './program-options.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const plugin = join(root, 'packages', 'dashboard', 'plugin')

const { values } = programOptions('npm run package:plugin: packs the plugin with Headlamp’s own tool.', {
  options: {
    out: { type: 'string', default: join(plugin, 'release') },
    'archive-url': { type: 'string' },
    'image-context': { type: 'string' },
  },
})

await buildPlugin({ progress: (line) => process.stderr.write(`${line} …\n`) })
const out = resolve(values.out)
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
// The README in the archive describes the plugin and how to install it.
copyFileSync(join(plugin, 'README.md'), join(plugin, 'dist', 'README.md'))
const tool = join(plugin, 'node_modules', '@kinvolk', 'headlamp-plugin', 'bin', 'headlamp-plugin.js')
// The tool names the folder in the archive, and therefore the installed plugin, after the folder that it packages.
const named = mkdtempSync(join(tmpdir(), 'kerf-package-plugin-'))
const link = join(named, 'headlamp-plugin')
symlinkSync(plugin, link, 'junction')
const packed = spawnSync(process.execPath, [tool, 'package', link, out], { cwd: plugin, encoding: 'utf8' })
rmSync(named, { recursive: true, force: true })
const archive = readdirSync(out).find((name) => name.endsWith('.tar.gz'))
if (packed.status !== 0 || archive === undefined) {
  process.stderr.write(`${packed.stdout}${packed.stderr}\npackage-plugin: headlamp-plugin package failed\n`)
  process.exit(1)
}
const checksum = createHash('sha256')
  .update(readFileSync(join(out, archive)))
  .digest('hex')
const { version } = JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8')) as { readonly version: string }
const metadata = parse(readFileSync(join(plugin, 'artifacthub-pkg.yml'), 'utf8')) as Readonly<Record<string, object>>
writeFileSync(
  join(out, 'artifacthub-pkg.yml'),
  stringify({
    ...metadata,
    version,
    annotations: {
      ...metadata['annotations'],
      ...(values['archive-url'] === undefined ? {} : { 'headlamp/plugin/archive-url': values['archive-url'] }),
      'headlamp/plugin/archive-checksum': `SHA256:${checksum}`,
    },
  }),
)
const context = values['image-context']
if (context !== undefined) {
  rmSync(context, { recursive: true, force: true })
  const unpacked = join(context, 'kerf')
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-x', '-z', '-f', join(out, archive), '-C', unpacked, '--strip-components=1'])
  copyFileSync(join(plugin, 'copy.mjs'), join(context, 'copy.mjs'))
}
process.stdout.write(`${join(out, archive)}\nSHA256:${checksum}\n`)
