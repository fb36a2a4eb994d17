import { groupVersion, type KubeObject, type NodePool } from '@kerf/apis'
import { clientObject, isMadeByCluster } from '../manifests/client-object.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { defaultProvider, knownProviderNamed, nodeClassRefTo } from '../providers.ts'
import { missingNamespaces } from './missing-namespaces.ts'

const simulatedProvider = knownProviderNamed(defaultProvider)
const [{ resource: classResource }] = simulatedProvider.nodeClasses
const CLASS = nodeClassRefTo(simulatedProvider, 'default')
/** Returns whether the kind is a node class of any Karpenter provider. */
const isNodeClass = (kind: string): boolean => kind.endsWith('NodeClass')
const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

const simulated = (object: KubeObject): KubeObject => {
  if (!isNodePool(object)) return object
  const { template } = object.spec
  return {
    ...object,
    spec: { ...object.spec, template: { ...template, spec: { ...template.spec, nodeClassRef: CLASS } } },
  } as NodePool
}

/** Returns the object in the form that the simulated cluster accepts, or undefined for an object that the cluster creates itself. */
export const simulatedObject = (object: KubeObject): KubeObject | undefined =>
  isMadeByCluster(object) || isNodeClass(object.kind) ? undefined : simulated(clientObject(object))

/** Returns the initial objects of a simulation, and how many were left out because the simulated cluster creates its own. */
export const prepareManifests = (
  manifests: readonly Manifest[],
): { readonly manifests: readonly Manifest[]; readonly leftOut: number } => {
  const nodeClass: KubeObject = {
    apiVersion: groupVersion(classResource.kind),
    kind: CLASS.kind,
    metadata: { name: CLASS.name },
    ...{ spec: {} },
  }
  const simulatedManifests = manifests.flatMap((manifest) => {
    const object = simulatedObject(manifest.object)
    return object === undefined ? [] : [{ ...manifest, object }]
  })
  const namespaces = missingNamespaces(simulatedManifests.map(({ object }) => object))
  return {
    manifests: [
      ...[nodeClass, ...namespaces].map((object) => ({ object, file: 'simulated', line: 0 })),
      ...simulatedManifests,
    ],
    leftOut: manifests.filter(({ object }) => isMadeByCluster(object)).length,
  }
}

/** Returns the manifests with `pools` in place of their NodePools. */
export const withPools = (manifests: readonly Manifest[], pools: readonly Manifest[]): readonly Manifest[] => [
  ...manifests.filter(({ object }) => object.kind !== 'NodePool'),
  ...pools,
]

const objectIdentity = ({ kind, metadata }: KubeObject): string =>
  `${kind}/${metadata.namespace ?? 'default'}/${metadata.name}`

/**
 * Returns a recording's objects together with the objects in files. An object in a file replaces the recorded object with the same name.
 */
export const withOverrides = (recorded: readonly Manifest[], files: readonly Manifest[]): readonly Manifest[] => {
  const given = new Set(files.map(({ object }) => objectIdentity(object)))
  return [...recorded.filter(({ object }) => !given.has(objectIdentity(object))), ...files]
}
