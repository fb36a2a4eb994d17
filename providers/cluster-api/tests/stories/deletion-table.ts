import { clusterApiKinds } from '@kerf/provider-cluster-api'
import { type DeletionBed, defineDeletionTable } from '@kerf/provider-cluster-api/deletion-table'
import type { ClusterApiBed } from '../src/bed.ts'

/** How long to wait for the choice. Real controllers choose within one or two seconds. */
const PASS_MS = 4_000

/** Defines a test for each row of the table of which Machine the real controllers delete. */
export const defineRealDeletionTable = (bedOf: () => ClusterApiBed): void => {
  const table = (): DeletionBed => {
    const bed = bedOf()
    return {
      client: bed.client,
      kinds: clusterApiKinds('v1beta2'),
      namespace: bed.workload.namespace,
      addDeployment: async (name, replicas) => {
        await bed.workload.addWorkers({ name, replicas, strategy: 'OnDelete' })
      },
      newRevision: (name) => bed.workload.newTemplate(name),
      until: (what, isSo) => bed.until(what, isSo),
      pass: () => new Promise((resolve) => setTimeout(resolve, PASS_MS)),
    }
  }
  defineDeletionTable('which Machine goes', table, true)
}
