import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KubeObject, karpenterKinds, type NodePool, type Taint } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { readTypesFile } from '../../../packages/cli/src/cluster/types-file.ts'
import type { Manifest } from '../../../packages/cli/src/manifests/manifest.ts'
import { readManifests } from '../../../packages/cli/src/manifests/read-manifests.ts'
import { buildSnapshot, type LoadedCluster } from '../../../packages/cli/src/plan/load-snapshot.ts'

export interface Scenario {
  /** The recorded objects, for the plan. */
  readonly loaded: LoadedCluster
  /** The objects as a user would apply them. */
  readonly manifests: readonly Manifest[]
  readonly catalogue: readonly InstanceType[]
}

/**
 * Removes the fields of a recorded object that only a server writes: identity, times, status, and owners that do not exist here. The
 * garbage collector would immediately delete pods with such owners.
 */
const applicable = (object: KubeObject): KubeObject => {
  const { status: _status, ...rest } = object as KubeObject & { readonly status?: unknown }
  const {
    uid: _uid,
    creationTimestamp: _created,
    ownerReferences: _owners,
    resourceVersion: _version,
    ...metadata
  } = object.metadata
  return { ...rest, metadata }
}

/**
 * Keeps kube-scheduler from using a node until the test removes this taint. Real nodes start at different times. kube-scheduler would fill
 * the first one with the first pods in its queue, so the result would depend on chance instead of the plan.
 */
export const HOLD: Taint = { key: 'kerf.test/hold', effect: 'NoSchedule' }

const held = (object: KubeObject): KubeObject => {
  if (object.kind !== karpenterKinds.NodePool.kind) return object
  const pool = object as NodePool
  const { template } = pool.spec
  const startupTaints = [...(template.spec.startupTaints ?? []), HOLD]
  return {
    ...pool,
    spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, startupTaints } } },
  } as NodePool
}

export const loadScenario = async (name: string): Promise<Scenario> => {
  const folder = fileURLToPath(new URL(`../../scenarios/${name}/`, import.meta.url))
  const file = existsSync(`${folder}cluster.yaml`) ? `${folder}cluster.yaml` : `${folder}cluster.yaml.gz`
  const { types: catalogue } = await readTypesFile(`${folder}instance-types.json`)
  const recorded = await readManifests([file], { repeated: 'keep' })
  return {
    loaded: buildSnapshot(recorded, () => catalogue),
    manifests: recorded.map((manifest) => ({ ...manifest, object: held(applicable(manifest.object)) })),
    catalogue,
  }
}
