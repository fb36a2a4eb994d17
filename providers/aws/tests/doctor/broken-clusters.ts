import type { Broken } from './broken-clusters/broken.ts'
import { cloudFaults } from './broken-clusters/cloud.ts'
import { coexistenceFaults } from './broken-clusters/coexistence.ts'
import { controllerFaults } from './broken-clusters/controller.ts'
import { nodePoolFaults } from './broken-clusters/node-pools.ts'
import { workloadFaults } from './broken-clusters/workloads.ts'

export type { Broken, Objects } from './broken-clusters/broken.ts'

/** One faulty cluster for each check. The keys describe the faults. */
export const brokenClusters: Readonly<Record<string, Broken>> = {
  ...coexistenceFaults,
  ...controllerFaults,
  ...nodePoolFaults,
  ...workloadFaults,
  ...cloudFaults,
}
