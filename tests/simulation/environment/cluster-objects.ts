import {
  type CustomResource,
  crdManifests,
  groupVersion,
  type KubeObject,
  karpenterKinds,
  kinds,
  policyKinds,
  type ResourceKind,
} from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import type { SimulatedRun } from '../runs/simulated-run.ts'
import { priorityClasses } from '../runs/workloads.ts'
import type { Cloud } from './clouds/cloud.ts'
import { inEveryCluster } from './clouds/clouds.ts'

const podTemplates: ResourceKind = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  namespaced: true,
}

/** The CRD files, created once for all runs: rendering them takes a third of the time of a short run. */
let crds: ReturnType<typeof allCrdFiles> | undefined

/**
 * Returns the kind of an object.
 *
 * @throws Error if simulated clusters have no such kind
 */
export const resourceKind = ({ apiVersion, kind }: KubeObject): ResourceKind => {
  const found = [
    ...Object.values(kinds),
    ...Object.values(karpenterKinds),
    ...Object.values(policyKinds),
    podTemplates,
  ].find((each) => each.kind === kind && groupVersion(each) === apiVersion)
  if (found === undefined) throw new Error(`no kind ${kind} of ${apiVersion}`)
  return found
}

/** Creates the objects that exist at the start of the run: CRDs, node classes, priority classes, the run's own objects and NodePools. */
export const createObjects = async (
  client: KubeClient,
  { objects, pools }: SimulatedRun,
  cloud: Cloud,
  furtherResources: readonly CustomResource[] = [],
): Promise<void> => {
  crds ??= allCrdFiles()
  const known = new Set(crds.map(({ manifest }) => manifest.metadata.name))
  const own = crdManifests({ resources: [...(cloud.resources ?? []), ...furtherResources] })
  for (const { manifest } of [...crds, ...own.filter((each) => !known.has(each.manifest.metadata.name))]) {
    // A manifest is already the object to create, but its type is less strict.
    await client.create(
      kinds.CustomResourceDefinition,
      manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> },
    )
  }
  for (const { kind, object } of inEveryCluster) await client.create(kind, object)
  await cloud.prepare(client)
  for (const each of priorityClasses) await client.create(kinds.PriorityClass, each as never)
  for (const each of objects) await client.create(resourceKind(each), each)
  for (const pool of pools) await client.create(karpenterKinds.NodePool, pool)
}
