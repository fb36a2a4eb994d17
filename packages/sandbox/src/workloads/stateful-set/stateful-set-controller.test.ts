import { kinds, type StatefulSet } from '@kerf/apis'
import { expect, test } from 'vitest'
import { node, podSpec, VirtualCluster } from '../../testing/virtual-cluster.ts'

const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } })

test('a stateful set starts in order, and each pod stays in the zone of its volume', async () => {
  await using cluster = await VirtualCluster.start()
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'db' } },
  }
  const set: StatefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: podSpec({ cpu: '1' }, { topologySpreadConstraints: [spread] }),
      },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: {
            storageClassName: 'zonal',
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
          },
        } as never,
      ],
    },
  }
  await cluster.apply(
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'zonal' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Delete',
    } as never,
    node('a', {}, zone('z1')),
    node('b', {}, zone('z2')),
    node('c', {}, zone('z3')),
    set,
  )
  await cluster.pass(1_000)
  expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0'])
  await cluster.settle()
  expect((await cluster.get(kinds.StatefulSet, 'db')).status).toMatchObject({ replicas: 3, readyReplicas: 3 })
  const homes = new Map<string | undefined, string | undefined>(
    cluster.pods().map((pod) => [pod.metadata.name, pod.spec.nodeName]),
  )
  expect(new Set(homes.values())).toEqual(new Set(['a', 'b', 'c']))
  for (const volume of cluster.list(kinds.PersistentVolume)) {
    const [value] = volume.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values ?? []
    const [name] = (volume.spec.claimRef?.name ?? '').split('data-').slice(1)
    expect(value).toBe({ a: 'z1', b: 'z2', c: 'z3' }[homes.get(name) ?? 'a'])
  }
  expect(cluster.list(kinds.VolumeAttachment).map((one) => one.status?.attached)).toEqual([true, true, true])
  await cluster.client.delete(kinds.Pod, { namespace: 'default', name: 'db-1' })
  await cluster.settle()
  expect(new Map(cluster.pods().map((pod) => [pod.metadata.name, pod.spec.nodeName]))).toEqual(homes)
  await cluster.scale('db', 1, kinds.StatefulSet)
  await cluster.settle()
  expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0'])
  expect(cluster.list(kinds.VolumeAttachment)).toHaveLength(1)
  await cluster.client.delete(kinds.StatefulSet, { namespace: 'default', name: 'db' })
  await cluster.client.delete(kinds.PersistentVolumeClaim, { namespace: 'default', name: 'data-db-2' })
  await cluster.settle()
  expect(cluster.list(kinds.PersistentVolume)).toHaveLength(2)
})
