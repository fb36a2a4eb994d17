import { fileURLToPath } from 'node:url'
import { bundleContent } from '../bundle-content.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { readManifests } from '../manifests/read-manifests.ts'

const FOLDER = 'examples/quickstart/'

/** The quickstart's manifests, or one of them. */
const quickstart = async (name = ''): Promise<readonly Manifest[]> => {
  if (bundleContent === undefined)
    return readManifests([fileURLToPath(new URL(`../../../${FOLDER}${name}`, import.meta.url))])
  return Object.entries(bundleContent.files)
    .filter(([path]) => path.startsWith(FOLDER + name))
    .flatMap(([path, text]) => parseManifests(text, path))
}

/**
 * What `up` applies: the files that were named, or the quickstart. Workloads that bring no NodePool get the quickstart's,
 * since without one nothing could ever be launched.
 */
export const manifestsFor = async (
  files: readonly string[],
): Promise<{ readonly manifests: readonly Manifest[]; readonly addedPool: boolean }> => {
  if (files.length === 0) return { manifests: await quickstart(), addedPool: false }
  const manifests = await readManifests(files)
  const bringsPool = manifests.some(({ object }) => object.kind === 'NodePool' || object.kind === 'Provisioner')
  if (bringsPool) return { manifests, addedPool: false }
  return { manifests: [...(await quickstart('nodepool.yaml')), ...manifests], addedPool: true }
}
