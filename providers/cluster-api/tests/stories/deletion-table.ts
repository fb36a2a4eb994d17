import { clusterApiKinds } from '@kerf/provider-cluster-api'
import { type DeletionHarness, defineDeletionTable } from '@kerf/provider-cluster-api/deletion-table'
import type { ClusterApiHarness } from '../src/harness.ts'

/** How long to wait until the controllers have chosen a Machine. Real controllers choose within one or two seconds. */
const PASS_MS = 4_000

/** For each row of the deletion table, defines a test that checks which Machine the real controllers delete. */
export const defineRealDeletionTable = (harnessOf: () => ClusterApiHarness): void => {
  const table = (): DeletionHarness => {
    const harness = harnessOf()
    return {
      client: harness.client,
      kinds: clusterApiKinds('v1beta2'),
      namespace: harness.workload.namespace,
      addDeployment: async (name, replicas) => {
        await harness.workload.addWorkers({ name, replicas, strategy: 'OnDelete' })
      },
      newRevision: (name) => harness.workload.newTemplate(name),
      until: (what, isSo) => harness.until(what, isSo),
      pass: () => new Promise((resolve) => setTimeout(resolve, PASS_MS)),
    }
  }
  defineDeletionTable('which Machine goes', table, true)
}
