// npm run sbom [-- --out FILE]: the bill of materials of the single file, in CycloneDX.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBundle } from './bundle/make-bundle.ts'
import { sbomOf } from './bundle/sbom.ts'
import { root } from './source-files.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist', 'kerf.cdx.json') } } })
const out = resolve(values.out)
const bundle = await makeBundle({ root, commit: process.env['KERF_COMMIT'] ?? '' })
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, sbomOf(root, bundle))
process.stdout.write(`${out}: ${bundle.packages.length} packages\n`)
