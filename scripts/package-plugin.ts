// npm run package:plugin [-- --archive-url URL]: the plugin as Headlamp's own tool packs it, with Artifact Hub's metadata.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildDashboard } from '@kerf/dashboard'
import { parse, stringify } from 'yaml'

const root = fileURLToPath(new URL('../', import.meta.url))
const plugin = join(root, 'headlamp-plugin')

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(plugin, 'release') },
    'archive-url': { type: 'string' },
  },
})

await buildDashboard({ progress: (line) => process.stderr.write(`${line} …\n`) })
rmSync(values.out, { recursive: true, force: true })
mkdirSync(values.out, { recursive: true })
const tool = join(plugin, 'node_modules', '@kinvolk', 'headlamp-plugin', 'bin', 'headlamp-plugin.js')
const packed = spawnSync(process.execPath, [tool, 'package', plugin, values.out], { cwd: plugin, encoding: 'utf8' })
const archive = readdirSync(values.out).find((name) => name.endsWith('.tar.gz'))
if (packed.status !== 0 || archive === undefined) {
  process.stderr.write(`${packed.stdout}${packed.stderr}\npackage-plugin: headlamp-plugin package failed\n`)
  process.exit(1)
}
const checksum = createHash('sha256')
  .update(readFileSync(join(values.out, archive)))
  .digest('hex')
const { version } = JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8')) as { readonly version: string }
const metadata = parse(readFileSync(join(plugin, 'artifacthub-pkg.yml'), 'utf8')) as Readonly<Record<string, object>>
writeFileSync(
  join(values.out, 'artifacthub-pkg.yml'),
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
process.stdout.write(`${join(values.out, archive)}\nSHA256:${checksum}\n`)
