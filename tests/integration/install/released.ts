import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHelm } from '@kerf/control-plane'
import { providerNamed } from '../../../packages/cli/src/providers.ts'
import { writeChartCrds } from '../../../tools/release/chart-crds.ts'
import { type PlainManifests, plainManifests } from '../../../tools/release/plain-manifests.ts'
import { chart } from './helm.ts'

/** Returns a provider's plain manifests, as a release publishes them. Throws if there is no Helm to render them. */
export const manifestsFor = (provider: string): PlainManifests => {
  const helm = findHelm()
  if (helm === undefined) throw new Error('no Helm here: run "node tests/support/control-plane/build-helm.ts"')
  const [found] = plainManifests(helm, [providerNamed(provider)])
  if (found === undefined) throw new Error(`no manifests for ${provider}`)
  return found
}

/**
 * Returns the folder with a copy of the `karpenter` chart that includes its CRDs, as a release packages it. The caller deletes the folder.
 */
export const releasedChart = (): string => {
  const folder = join(mkdtempSync(join(tmpdir(), 'kerf-chart-')), 'karpenter')
  cpSync(chart('karpenter'), folder, { recursive: true })
  writeChartCrds(folder)
  return folder
}
