import type { InstanceType } from '@kerf/engine'
import { UsageError } from '../cli-error.ts'
import { type InstanceTypesChoice, openInstanceTypes } from '../cluster/instance-types.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { type LoadedCluster, readInstanceTypes, snapshotOf } from './load-snapshot.ts'

/** Where a read-only command finds the cluster it is asked about. */
export interface ClusterSource extends InstanceTypesChoice {
  readonly filename: readonly string[]
  readonly kubeconfig?: string
  readonly context?: string
  /** `--ignore-dra-requests`; `true` when absent, as in `kerf run`. */
  readonly ignoreDraRequests?: boolean
}

/** The cluster in the named files, or else the live one. `say` gets a line for each step that takes long. */
export const loadCluster = async (
  source: ClusterSource,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<LoadedCluster & { readonly instanceTypes: readonly InstanceType[] }> => {
  const { filename, kubeconfig, context, ignoreDraRequests = true } = source
  const instanceTypes = await openInstanceTypes(source, readInstanceTypes)
  const withDevices = (loaded: LoadedCluster) => ({
    ...loaded,
    options: { ...loaded.options, ignoreDraRequests },
    instanceTypes,
  })
  if (filename.length > 0) {
    if (kubeconfig !== undefined || context !== undefined) {
      throw new UsageError('-f reads files and --kubeconfig a live cluster; leave one of the two out')
    }
    say(`reading ${filename.join(', ')}`)
    return withDevices(snapshotOf(await readManifests(filename), () => instanceTypes))
  }
  say('reading the cluster')
  const { readLiveCluster } = await import('./read-live-cluster.ts')
  const manifests = await readLiveCluster({
    env,
    ignoreDraRequests,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  })
  return withDevices(snapshotOf(manifests, () => instanceTypes))
}
