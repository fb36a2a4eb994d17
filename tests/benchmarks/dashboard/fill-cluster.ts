import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { type KubeClient, mapLimit } from '@kerf/runtime'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { fullCluster } from './full-cluster.ts'

const createAll = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  objects: readonly object[],
): Promise<void> => {
  const { signal } = new AbortController()
  await mapLimit(
    objects,
    50,
    async (object) => {
      const created = await client.create(kind, object as T)
      const { status } = object as { readonly status?: object }
      if (status === undefined) return
      const { name = '', namespace } = created.metadata
      const ref = namespace === undefined ? { name } : { name, namespace }
      await client.patch(kind, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
    },
    signal,
  )
}

/** Creates Karpenter's CRDs and the objects of a full cluster. */
export const fillCluster = async (client: KubeClient, nodes: number, pods: number): Promise<void> => {
  for (const { manifest } of allCrdFiles()) await client.create(kinds.CustomResourceDefinition, manifest as never)
  const objects = fullCluster(nodes, pods)
  await createAll(client, karpenterKinds.NodePool, objects.pools)
  await createAll(client, karpenterKinds.NodeClaim, objects.claims)
  await createAll(client, kinds.Node, objects.nodes)
  await createAll(client, kinds.Pod, objects.pods)
}
