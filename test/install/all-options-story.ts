import { apiVersionOf, isConditionTrue, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import { PoolStory } from '../story/pool-story.ts'
import type { StoryCluster } from '../story/story-cluster.ts'

const podTemplates: ResourceKind<KubeObject & { readonly template: object }> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
}

/** What only options bring: an overlay that changes a price, and buffers of all that a buffer may take its shape from. */
export const tellOptionsStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const story = await PoolStory.open(cluster, 'options')
  const namespace = story.name
  const create = async <T extends KubeObject>(kind: ResourceKind<T>, object: T): Promise<void> => {
    await cluster.until(`${kind.kind} to be served`, async () => {
      try {
        await client.create(kind, object)
        return true
      } catch (error) {
        if (isNotFound(error)) return false
        throw error
      }
    })
  }
  await create(karpenterKinds.NodeOverlay, {
    apiVersion: apiVersionOf(karpenterKinds.NodeOverlay),
    kind: 'NodeOverlay',
    metadata: { name: 'dearer' },
    spec: {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c-4x-amd64-linux'] }],
      priceAdjustment: '+10%',
    },
  })
  const labels = { app: namespace }
  const template = {
    metadata: { labels },
    spec: {
      tolerations: [{ operator: 'Exists' as const }],
      nodeSelector: { 'karpenter.sh/nodepool': namespace },
      containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '100m' } } }],
    },
  }
  const spec = { replicas: 1, selector: { matchLabels: labels }, template }
  const workload = (kind: string): KubeObject & { readonly spec: typeof spec } => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: kind.toLowerCase(), namespace },
    spec,
  })
  for (const kind of [kinds.Deployment, kinds.ReplicaSet, kinds.StatefulSet] as readonly ResourceKind[])
    await create(kind, workload(kind.kind))
  await create(podTemplates, {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'shape', namespace },
    template,
  })
  const buffer = (name: string, of: object): Promise<void> =>
    create(karpenterKinds.CapacityBuffer, {
      apiVersion: apiVersionOf(karpenterKinds.CapacityBuffer),
      kind: 'CapacityBuffer',
      metadata: { name, namespace },
      spec: { replicas: 1, ...of },
    })
  await buffer('podtemplate', { podTemplateRef: { name: 'shape' } })
  for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet'])
    await buffer(kind.toLowerCase(), { scalableRef: { apiGroup: 'apps', kind, name: kind.toLowerCase() } })

  await cluster.until('the overlay to be ready', async () =>
    isConditionTrue(await client.get(karpenterKinds.NodeOverlay, { name: 'dearer' }), 'Ready'),
  )
  await cluster.until('every buffer to be provided for', async () => {
    const { items } = await client.list(karpenterKinds.CapacityBuffer, { namespace })
    return items.length === 4 && items.every((each) => isConditionTrue(each, 'ReadyForProvisioning'))
  })
  await cluster.until('room for the buffers', async () => (await story.nodes()).length > 0)
}
