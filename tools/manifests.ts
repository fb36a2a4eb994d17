// npm run manifests [-- --out DIR]: writes each provider's plain manifests for kubectl apply: DIR/PROVIDER/{crds,karpenter}.yaml, and
// management.yaml if the provider has a separate management cluster. Needs Helm: on the PATH, or the pinned Helm of the tests.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findHelm } from '../tests/support/control-plane/src/index.ts'
import { programOptions } from './program-options.ts'
import { plainManifests } from './release/plain-manifests.ts'

const { values } = programOptions(
  'npm run manifests: writes the plain manifests of each provider, for kubectl apply. Needs Helm.',
  { options: { out: { type: 'string', default: 'dist/manifests' } } },
)
const out = resolve(values.out)

const write = (file: string, text: string): void => {
  writeFileSync(file, text)
  process.stdout.write(`wrote ${file}\n`)
}

try {
  for (const { provider, crds, karpenter, management } of plainManifests(findHelm() ?? 'helm')) {
    const folder = join(out, provider)
    mkdirSync(folder, { recursive: true })
    write(join(folder, 'crds.yaml'), crds)
    write(join(folder, 'karpenter.yaml'), karpenter)
    if (management !== undefined) write(join(folder, 'management.yaml'), management)
  }
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  process.stderr.write('manifests: Helm renders the manifests, and there is no program "helm" on the PATH\n')
  process.exitCode = 1
}
