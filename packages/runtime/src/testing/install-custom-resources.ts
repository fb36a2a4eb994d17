import { type CustomResource, coreResources, crdManifests, kinds } from '@kerf/apis'
import type { KubeClient } from '../kube-client/kube-client.ts'

/** Installs the CRDs of the core kinds and of these node classes through the API. */
export const installCustomResources = async (
  admin: KubeClient,
  nodeClasses: readonly CustomResource[],
): Promise<void> => {
  for (const { manifest } of crdManifests({ resources: [...coreResources, ...nodeClasses] })) {
    await admin.create(kinds.CustomResourceDefinition, { ...manifest, spec: { ...manifest.spec } })
  }
}
