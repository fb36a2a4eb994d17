import { apiVersionOf, type NewObject } from '@kerf/apis'
import { clusterApiKinds } from '@kerf/provider-cluster-api'
import { defineDeletionTable } from '@kerf/provider-cluster-api/deletion-table'
import { afterAll, beforeAll, vi } from 'vitest'
import { ClusterApiBed } from './src/bed.ts'
import { clusterApiKinds as bedKinds } from './src/kinds.ts'
import { describeOnClusterApi } from './src/testing.ts'

/** Real controllers choose within one or two seconds. */
const PASS_MS = 4_000

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

describeOnClusterApi('real Cluster API controllers', (shared) => {
  let bed: ClusterApiBed
  beforeAll(async () => {
    bed = await ClusterApiBed.start(shared())
  })
  afterAll(() => bed?.stop())

  const patch = async (name: string, body: object): Promise<void> => {
    const { namespace } = bed.workload
    await bed.client.patch(bedKinds.MachineDeployment, { namespace, name }, { type: 'merge', body })
  }

  defineDeletionTable('which Machine goes', () => ({
    client: bed.client,
    kinds: clusterApiKinds('v1beta2'),
    namespace: bed.workload.namespace,
    addDeployment: async (name, replicas) => {
      await bed.workload.addWorkers({ name, replicas: 0 })
      await patch(name, { spec: { replicas, rollout: { strategy: { type: 'OnDelete' } } } })
    },
    newRevision: async (name) => {
      const { namespace } = bed.workload
      const kind = bedKinds.DevMachineTemplate
      const { spec } = (await bed.client.get(kind, { namespace, name })) as { readonly spec?: unknown }
      const copy = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { namespace, name: `${name}-2` }, spec }
      await bed.client.create(kind, copy as NewObject<typeof copy>)
      await patch(name, { spec: { template: { spec: { infrastructureRef: { name: `${name}-2` } } } } })
    },
    until: (what, isSo) => bed.until(what, isSo),
    pass: () => new Promise((resolve) => setTimeout(resolve, PASS_MS)),
  }))
})
