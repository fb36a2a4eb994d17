// npm run sbom [-- --out FILE]: the bill of materials of the single file, in CycloneDX.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeBundle } from './bundle/make-bundle.ts'
import { createSbom } from './bundle/sbom.ts'
import { programOptions } from './program-options.ts'
import { root } from './source-files.ts'

const { values } = programOptions('npm run sbom: makes the bill of materials of the single file, in CycloneDX.', {
  options: { out: { type: 'string', default: join(root, 'dist', 'kerf.cdx.json') } },
})
const out = resolve(values.out)
const bundle = await makeBundle({ root, commit: process.env['KERF_COMMIT'] ?? '' })
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, createSbom(root, bundle))
process.stdout.write(`${out}: ${bundle.packages.length} packages\n`)
