import { fileURLToPath } from 'node:url'
import { type Manifest, readManifests } from '../manifests/read-manifests.ts'

const folder = fileURLToPath(new URL('../../../examples/quickstart/', import.meta.url))

/**
 * What `up` applies: the files that were named, or the quickstart. Workloads that bring no NodePool get the quickstart's,
 * since without one nothing could ever be launched.
 */
export const manifestsFor = async (
  files: readonly string[],
): Promise<{ readonly manifests: readonly Manifest[]; readonly addedPool: boolean }> => {
  if (files.length === 0) return { manifests: await readManifests([folder]), addedPool: false }
  const manifests = await readManifests(files)
  const bringsPool = manifests.some(({ object }) => object.kind === 'NodePool' || object.kind === 'Provisioner')
  if (bringsPool) return { manifests, addedPool: false }
  return { manifests: [...(await readManifests([`${folder}nodepool.yaml`])), ...manifests], addedPool: true }
}
