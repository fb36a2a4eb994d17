import { describeOnCluster, type TestCluster } from '@kerf/control-plane/testing'
import { describe } from 'vitest'
import { missingFiles } from './definitions.ts'

/**
 * A suite against the real control plane with the managers of Cluster API. Without their programs it is skipped, and the
 * reason stands in its name.
 * @param define gets a function that returns the cluster; call it inside tests and hooks only
 */
export const describeOnClusterApi = (name: string, define: (cluster: () => TestCluster) => void): void => {
  const [missing] = missingFiles()
  if (missing === undefined) {
    describeOnCluster(name, define)
    return
  }
  const why = `no ${missing}; run "node test/cluster-api/build.ts"`
  describe.skip(`${name} (skipped: ${why})`, () =>
    define(() => {
      throw new Error(why)
    }))
}
