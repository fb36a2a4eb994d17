import {
  CLUSTER_POLICY,
  groupVersion,
  isConditionTrue,
  type KubeObject,
  karpenterKinds,
  kinds,
  policyKinds,
  type ResourceKind,
} from '@kerf/apis'
import { legacyKinds, type Provisioner } from '@kerf/apis/legacy'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { isNotFound } from '@kerf/runtime'
import { legacyTemplates } from '../../../packages/cli/src/providers.ts'
import { PoolStory } from '../story/pool-story.ts'
import type { StoryCluster } from '../story/story-cluster.ts'

const podTemplates: ResourceKind<KubeObject & { readonly template: object }> = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
}

/**
 * Tests features that options enable, and policies: an overlay that changes a price, CapacityBuffers with every kind of reference, a
 * ceiling, and a policy of the NodePools.
 */
export const runOptionsStory = async (cluster: StoryCluster): Promise<void> => {
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
    apiVersion: groupVersion(karpenterKinds.NodeOverlay),
    kind: 'NodeOverlay',
    metadata: { name: 'dearer' },
    spec: {
      requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c-4x-amd64-linux'] }],
      priceAdjustment: '+10%',
    },
  })
  await create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kerf-prices', namespace: 'kube-system' },
    data: {
      'prices.yaml': 'unit: USD/hour\nasOf: 2026-01-01\nprices: [{instanceType: s-256x-amd64-linux, price: 11}]',
    },
  })
  await create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kerf-commitments', namespace: 'kube-system' },
    data: {
      'commitments.yaml': 'commitments: [{name: units, prepaid: {instanceTypes: ["s-*"], normalizedUnits: "32"}}]',
    },
  })
  await create(policyKinds.ClusterPolicy, {
    apiVersion: groupVersion(policyKinds.ClusterPolicy),
    kind: 'ClusterPolicy',
    metadata: { name: CLUSTER_POLICY },
    spec: {
      ceilings: { nodes: 100 },
      commitments: [{ name: 'reserved', prepaid: { instanceType: 's-256x-amd64-linux', count: 1, share: '1' } }],
      commitmentSource: { configMap: { name: 'kerf-commitments', key: 'commitments.yaml' } },
      priceBook: { configMap: { name: 'kerf-prices', key: 'prices.yaml' } },
    },
  })
  await create(policyKinds.NodePoolPolicy, {
    apiVersion: groupVersion(policyKinds.NodePoolPolicy),
    kind: 'NodePoolPolicy',
    metadata: { name: 'open-to-all' },
    spec: { targetSelector: {}, access: { namespaceSelector: {} } },
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
  await create(kinds.ResourceClaimTemplate, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'device', namespace },
    spec: { spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'none' } }] } } },
  })
  const resourceClaims = [{ name: 'device', resourceClaimTemplateName: 'device' }]
  await create(podTemplates, {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'claims-devices', namespace },
    template: { ...template, spec: { ...template.spec, resourceClaims } },
  })
  const buffer = (name: string, of: object): Promise<void> =>
    create(karpenterKinds.CapacityBuffer, {
      apiVersion: groupVersion(karpenterKinds.CapacityBuffer),
      kind: 'CapacityBuffer',
      metadata: { name, namespace },
      spec: { replicas: 1, ...of },
    })
  await buffer('podtemplate', { podTemplateRef: { name: 'shape' } })
  await buffer('devices', { podTemplateRef: { name: 'claims-devices' } })
  for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet'])
    await buffer(kind.toLowerCase(), { scalableRef: { apiGroup: 'apps', kind, name: kind.toLowerCase() } })

  await cluster.until('the overlay to be ready', async () =>
    isConditionTrue(await client.get(karpenterKinds.NodeOverlay, { name: 'dearer' }), 'Ready'),
  )
  await cluster.until('the ceilings to be applied', async () => {
    const policy = await client.get(policyKinds.ClusterPolicy, { name: CLUSTER_POLICY })
    return (
      isConditionTrue(policy, 'Accepted') &&
      policy.status?.ceilings?.[0]?.ceiling === '100' &&
      policy.status.priceBook !== undefined &&
      policy.status.commitments?.map(({ name }) => name).join() === 'reserved,units'
    )
  })
  await cluster.until('the policy of the NodePools to be applied', async () =>
    isConditionTrue(await client.get(policyKinds.NodePoolPolicy, { name: 'open-to-all' }), 'Accepted'),
  )
  await cluster.until('every buffer to be provided for', async () => {
    const { items } = await client.list(karpenterKinds.CapacityBuffer, { namespace })
    return items.length === 5 && items.every((each) => isConditionTrue(each, 'ReadyForProvisioning'))
  })
  await cluster.until('room for the buffers', async () => (await story.nodes()).length > 0)
}

/** Tests objects of the old API: their conversion and synchronization, and replacing one object by another. */
export const runLegacyStory = async (cluster: StoryCluster): Promise<void> => {
  const { client } = cluster
  const name = 'old'
  const templates = (await legacyTemplates()).resource.kind
  const template = {
    apiVersion: groupVersion(templates),
    kind: templates.kind,
    metadata: { name: 'shape' },
    spec: { subnetSelector: { a: 'b' }, securityGroupSelector: { a: 'b' } },
  }
  const provisioner: Provisioner = {
    apiVersion: 'karpenter.sh/v1alpha5',
    kind: 'Provisioner',
    metadata: { name },
    spec: { provider: { subnetSelector: { a: 'b' }, securityGroupSelector: { a: 'b' } } },
  }
  await cluster.until('the old kinds to be served', async () => {
    try {
      await client.create(templates, template)
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  })
  await client.create(legacyKinds.Provisioner, provisioner)
  const isThere = async (kind: ResourceKind, of: string): Promise<boolean> =>
    (await client.list(kind)).items.some(({ metadata }) => metadata.name === of)
  await cluster.until(
    'what the old objects come to',
    async () =>
      (await isThere(karpenterKinds.NodePool, name)) &&
      (await isThere(kwokNodeClassKind, name)) &&
      (await isThere(kwokNodeClassKind, 'shape')),
  )
  await cluster.until('the Provisioner to say so', async () =>
    isConditionTrue(await client.get(legacyKinds.Provisioner, { name }), 'Converted'),
  )
  const spec = { weight: 7, provider: null, providerRef: { name: 'shape' } }
  await client.patch(legacyKinds.Provisioner, { name }, { type: 'merge', body: { spec } })
  await cluster.until('the pool to follow', async () => {
    const { spec } = await client.get(karpenterKinds.NodePool, { name })
    return spec.weight === 7 && spec.template.spec.nodeClassRef.name === 'shape'
  })
  await cluster.until('the class of its own to be gone', async () => !(await isThere(kwokNodeClassKind, name)))
  await client.delete(legacyKinds.Provisioner, { name })
  await client.delete(templates, { name: 'shape' })
  await cluster.until('the pool to be gone', async () => !(await isThere(karpenterKinds.NodePool, name)))
}
