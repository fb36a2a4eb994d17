// npm run release:files -- --image REPOSITORY --digest sha256:… --url URL [--out DIR]: creates all files of a release's page except the
// dashboard plugin. These are the single file with its source map, licences and bill of materials, the dashboard folder that it serves, the
// npm package, the kubectl plugin with krew's manifest, the charts, and one manifest per provider. URL is where these files will be
// published. The program contains the value of KERF_COMMIT.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findHelm } from '../tests/support/control-plane/src/index.ts'
import { programOptions } from './program-options.ts'
import { builtDashboard, DASHBOARD_ARCHIVE, dashboardArchive } from './release/dashboard-folder.ts'
import { KUBECTL_ARCHIVE, krewManifest, kubectlArchive } from './release/kubectl-plugin.ts'
import { packNpmPackage } from './release/npm-package.ts'
import { buildProgram, writeProgram } from './release/program-files.ts'
import { packCharts } from './release/released-charts.ts'
import { releasedManifests } from './release/released-manifests.ts'

const { values } = programOptions(
  'npm run release:files: makes everything that the page of a release has besides the dashboard’s plugin. --image, --digest and --url are needed.',
  {
    options: {
      out: { type: 'string', default: 'release' },
      image: { type: 'string' },
      digest: { type: 'string' },
      url: { type: 'string' },
    },
  },
)
const { image: repository, digest, url } = values
if (repository === undefined || digest === undefined || url === undefined) {
  process.stderr.write(
    'release-files: say which image was pushed and where the files will be: npm run release:files -- --image REPOSITORY --digest sha256:… --url URL\n',
  )
  process.exit(2)
}
const out = resolve(values.out)
const image = { repository, digest }
// The machine that makes a release has Helm on its PATH.
const helm = findHelm() ?? 'helm'
// Created before anything is written, so that an invalid digest leaves no incomplete release.
const manifests = releasedManifests(image, helm)
const program = await buildProgram(process.env['KERF_COMMIT'] ?? '')
const dashboard = await builtDashboard()

mkdirSync(out, { recursive: true })
const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(out, name), content)
writeProgram(out, program)
write('kerf.mjs.map', program.bundle.sourceMap)
write('kerf.cdx.json', program.sbom)
packNpmPackage(program, dashboard, out)
write(DASHBOARD_ARCHIVE, dashboardArchive(dashboard))
const archive = kubectlArchive(program, dashboard)
write(KUBECTL_ARCHIVE, archive)
write('kerf.yaml', krewManifest(program.bundle.version, archive, `${url}/${KUBECTL_ARCHIVE}`))
packCharts(image, helm, out)
for (const { name, text } of manifests) write(name, text)
process.stdout.write(`${readdirSync(out).join('\n')}\n`)
