import type { KubeObject, PersistentVolumeClaim, Pod, Volume } from '@kerf/apis'

/** The prefix of the UIDs of expected pods. No real pod has it, because the UIDs of the API server are UUIDs. */
const PREFIX = 'expected/'
/** The creation time of expected pods. The engine places equal pods in the order of creation, so existing pods get free capacity first. */
const NOT_YET = '9999-12-31T23:59:59Z'

/** Returns the UID of the expected pod `name` of the owner with the UID `owner`. */
export const expectedUid = (owner: string, name: string): string => `${PREFIX}${owner}/${name}`

/** Returns whether the pod is an expected pod, which exists only in memory. */
export const isExpectedPod = ({ metadata }: Pod): boolean => metadata.uid?.startsWith(PREFIX) === true

/**
 * Returns the name of a StatefulSet's PersistentVolumeClaim, which consists of the names of the claim template and of the pod, joined by a
 * hyphen.
 */
const claimName = (template: string, pod: string): string => `${template}-${pod}`

const ownVolume =
  (template: Pod, name: string, claimTemplates: readonly KubeObject[]) =>
  (volume: Volume): Volume => {
    const { claimName: known } = volume.persistentVolumeClaim ?? {}
    const made = claimTemplates.find(({ metadata }) => known === claimName(metadata.name, template.metadata.name))
    if (made === undefined) return volume
    return { ...volume, persistentVolumeClaim: { claimName: claimName(made.metadata.name, name) } }
  }

/**
 * Returns an expected pod: a copy of `template`, with its spec after admission, but without its node. If the owner is a StatefulSet, each
 * pod has its own volume claims, named after `claimTemplates`.
 */
export const expectedPod = (
  template: Pod,
  { uid, name }: { readonly uid: string; readonly name: string },
  claimTemplates: readonly KubeObject[],
): Pod => {
  const { nodeName: _, volumes, ...spec } = template.spec
  const { labels, annotations, ownerReferences, namespace } = template.metadata
  return Object.freeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name, uid, creationTimestamp: NOT_YET },
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
    spec: {
      ...spec,
      ...(volumes === undefined ? {} : { volumes: volumes.map(ownVolume(template, name, claimTemplates)) }),
    },
    status: { phase: 'Pending' as const },
  })
}

/**
 * Returns the PersistentVolumeClaims that will be created for the pod: one for each claim template, and one for each generic ephemeral
 * volume. Some of them may already exist. `defaultClass` is the name of the default StorageClass.
 */
export const claimsOfExpectedPod = (
  pod: Pod,
  claimTemplates: readonly KubeObject[],
  defaultClass: string | undefined,
): readonly PersistentVolumeClaim[] => {
  const { name, namespace = 'default' } = pod.metadata
  const claim = (claimed: string, template: unknown): PersistentVolumeClaim => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: claimed, namespace },
    // The claim does not exist yet, so it has no volume.
    spec: { ...withClass(storageClassName(template) ?? defaultClass) },
  })
  return [
    ...claimTemplates.map((template) =>
      claim(claimName(template.metadata.name, name), 'spec' in template ? template.spec : undefined),
    ),
    ...(pod.spec.volumes ?? []).flatMap((volume) =>
      volume.ephemeral === undefined
        ? []
        : [claim(`${name}-${volume.name}`, volume.ephemeral.volumeClaimTemplate?.spec)],
    ),
  ]
}

const storageClassName = (spec: unknown): string | undefined =>
  typeof spec === 'object' && spec !== null && 'storageClassName' in spec && typeof spec.storageClassName === 'string'
    ? spec.storageClassName
    : undefined

const withClass = (name: string | undefined) => (name === undefined ? {} : { storageClassName: name })
