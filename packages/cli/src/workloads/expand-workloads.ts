import { controllerOwner, type KubeObject } from '@kerf/apis'
import type { Manifest } from '../manifests/manifest.ts'
import { counted } from '../terminal/amounts.ts'
import { assumeStorage } from './assumed-storage.ts'
import { type DesiredPods, desiredPods, isAutoscaler, type ReplicaChoice } from './desired-pods.ts'
import { withoutHooks } from './helm-hooks.ts'
import { findReplicaSet, morePods, volumeClaims } from './pods-of-workload.ts'
import { PresentPods } from './present-pods.ts'
import { isPod, isUnknownWorkload, isWorkload, objectNamespace, type Workload, workloadName } from './workload.ts'

/** The objects in files, together with the objects that a cluster would create for them. */
export interface ExpandedManifests {
  readonly manifests: readonly Manifest[]
  /** Notes about the numbers of pods, one line each. */
  readonly notes: readonly string[]
  /** Facts that the files do not contain, as phrases for a message. */
  readonly notLookedAt: readonly string[]
  /** Workloads that need no pods, each with the reason, for example `Deployment shop/web has 0 replicas`. */
  readonly idle: readonly string[]
}

/** Maximum number of objects that a line lists. */
const NAMED = 5

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more` : names.join(', ')

/** Replaces `generateName` by a name with a number. The API server would generate a random suffix. */
const named = (manifests: readonly Manifest[]): readonly Manifest[] =>
  manifests.map((manifest, index) => {
    const { metadata } = manifest.object
    if (metadata.name !== undefined || metadata.generateName === undefined) return manifest
    return {
      ...manifest,
      object: { ...manifest.object, metadata: { ...metadata, name: `${metadata.generateName}${index + 1}` } },
    }
  })

/** Returns whether another object in the files creates the pods of this workload. */
const isMadeByAnother = (object: KubeObject, objects: ReadonlySet<string>): boolean => {
  const owner = controllerOwner(object)
  return owner !== undefined && objects.has(`${owner.kind} ${objectNamespace(object)}/${owner.name}`)
}

const rangeNote = (workload: Workload, desired: DesiredPods): string | undefined => {
  if (desired.none !== undefined || desired.range === undefined) return undefined
  const { min, max, autoscaler } = desired.range
  return `${workloadName(workload)} is planned with ${counted(desired.count, 'replica')}; HorizontalPodAutoscaler ${autoscaler.metadata.name} allows ${min} to ${max} (choose with --replicas min, max or current)`
}

/** Returns the pods that a workload still needs, with their volume claims and their ReplicaSet. */
const createdObjects = (workload: Workload, count: number, present: PresentPods): readonly KubeObject[] => {
  const pods = morePods(workload, count, present)
  const replicaSet = findReplicaSet(workload, present)
  return [
    ...(replicaSet === undefined ? [] : [replicaSet]),
    ...pods.flatMap((pod) => [...volumeClaims(pod, workload), pod]),
  ]
}

const objectKey = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`

/**
 * Returns the manifests together with the pods that a cluster's controllers would create: as many as each workload needs, minus its pods
 * in the files. Helm hooks are left out, because their objects do not exist while the release runs.
 */
export const expandWorkloads = (given: readonly Manifest[], choice: ReplicaChoice): ExpandedManifests => {
  const kept = withoutHooks(given)
  const manifests = named(kept.manifests)
  const objects = manifests.map(({ object }) => object)
  const present = new PresentPods(objects)
  const autoscalers = objects.filter(isAutoscaler)
  const keys = new Set(objects.map(objectKey))
  const all: Manifest[] = []
  const notes: string[] = []
  const idle: string[] = []
  const add = (from: Manifest, made: readonly KubeObject[]): void => {
    for (const object of made) {
      const key = objectKey(object)
      if (keys.has(key)) continue
      keys.add(key)
      all.push({ ...from, object })
    }
  }
  for (const manifest of manifests) {
    all.push(manifest)
    const { object } = manifest
    if (isPod(object) && object.status?.phase === undefined && Array.isArray(object.spec?.containers))
      add(manifest, volumeClaims(object, undefined))
    if (!isWorkload(object) || isMadeByAnother(object, keys)) continue
    const desired = desiredPods(object, choice, autoscalers)
    if (desired.none !== undefined) idle.push(`${workloadName(object)} ${desired.none}`)
    const missing = desired.count - Math.max(present.of(object).length, present.reported(object))
    if (missing <= 0) continue
    const note = rangeNote(object, desired)
    if (note !== undefined) notes.push(note)
    add(manifest, createdObjects(object, missing, present))
  }
  const unknown = objects.filter(isUnknownWorkload)
  const { items, classes } = assumeStorage(all)
  return {
    manifests: [...items, ...classes.map((object) => ({ object, file: 'assumed', line: 0 }))],
    notes: [...notes, ...(kept.note === undefined ? [] : [kept.note])],
    notLookedAt: [
      ...unknown.map((object) => `the pods of ${workloadName(object)} (${object.apiVersion})`),
      ...(classes.length === 0
        ? []
        : [
            `StorageClass ${listed(classes.map(({ metadata }) => metadata.name))} (not in the files; its volumes can be in any zone)`,
          ]),
    ],
    idle,
  }
}
