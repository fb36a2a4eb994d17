import { crdManifests, kinds } from '@kerf/apis'
import type { KubeClient } from '../kube-client/kube-client.ts'

/** Installs the CRDs in an API. */
export const installCustomResources = async (admin: KubeClient): Promise<void> => {
  for (const { manifest } of crdManifests()) {
    await admin.create(kinds.CustomResourceDefinition, { ...manifest, spec: { ...manifest.spec } })
  }
}
