// npm run bundle [-- --out DIR] [--source-map] [--dashboard]: builds the program as a single file for Node.js 20 or newer, with the
// licences of its contents. The file contains the value of KERF_COMMIT. With --dashboard, also builds the folder of the dashboard.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeBundle } from './bundle/make-bundle.ts'
import { licenseNotices } from './bundle/notices.ts'
import { programOptions } from './program-options.ts'
import { builtDashboard, writeDashboard } from './release/dashboard-folder.ts'
import { root } from './source-files.ts'

const { values } = programOptions(
  'npm run bundle: makes the program in one file, with the licences of what it contains.',
  {
    options: {
      out: { type: 'string', default: join(root, 'dist') },
      'source-map': { type: 'boolean', default: false },
      dashboard: { type: 'boolean', default: false },
    },
  },
)
const out = resolve(values.out)
const commit = process.env['KERF_COMMIT'] ?? ''
const bundle = await makeBundle({ root, commit })
const notices = licenseNotices(bundle.packages)

mkdirSync(out, { recursive: true })
const write = (name: string, content: string | Uint8Array): void => {
  writeFileSync(join(out, name), content)
  process.stdout.write(`${join(out, name)} ${(Buffer.byteLength(content) / 2 ** 20).toFixed(2)} MiB\n`)
}
write('kerf.mjs', bundle.code)
chmodSync(join(out, 'kerf.mjs'), 0o755)
if (values['source-map']) write('kerf.mjs.map', bundle.sourceMap)
write('THIRD-PARTY-NOTICES', notices)
process.stdout.write(`kerf ${bundle.version}, code of ${bundle.packages.length} packages\n`)
if (values.dashboard) {
  writeDashboard(out, await builtDashboard())
  process.stdout.write(`${join(out, 'dashboard')}\n`)
}
