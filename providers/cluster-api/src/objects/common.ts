import { type Condition, type KubeObject, type Milliseconds, parseTime } from '@kerf/apis'
import { clusterApiAnnotations } from '../names.ts'
import type { ReferenceOnWire, StatusOnWire } from './wire.ts'

type Texts = Readonly<Record<string, string>>

/** The fields that every object of Cluster API has, independent of its version. */
export interface ClusterApiObject {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly labels: Texts
  readonly annotations: Texts
  readonly createdAt: Milliseconds | undefined
  readonly isDeleting: boolean
  /** The deletionTimestamp. */
  readonly deletedAt: Milliseconds | undefined
  /** Conditions in the format that v1beta2 introduced. Empty before Cluster API 1.9. */
  readonly conditions: readonly Condition[]
}

/** A reference to another object of the management cluster, without its version, which Cluster API chooses. */
export interface ObjectLocation {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

interface WithStatus extends KubeObject {
  readonly status?: StatusOnWire
}

/**
 * Parses the common fields of an object (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`). Fields that the server has not set are empty
 * strings.
 */
export const readCommonFields = (object: WithStatus): ClusterApiObject => ({
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name,
  uid: object.metadata.uid ?? '',
  resourceVersion: object.metadata.resourceVersion ?? '',
  labels: object.metadata.labels ?? {},
  annotations: object.metadata.annotations ?? {},
  createdAt: parseTime(object.metadata.creationTimestamp),
  isDeleting: object.metadata.deletionTimestamp !== undefined,
  deletedAt: parseTime(object.metadata.deletionTimestamp),
  conditions: conditionsOf(object),
})

const conditionsOf = ({ apiVersion, status }: WithStatus): readonly Condition[] => {
  const isOlder = apiVersion.endsWith('/v1beta1')
  return (isOlder ? status?.v1beta2?.conditions : status?.conditions) ?? []
}

/**
 * Parses a reference in either version's format. Returns `undefined` if the reference is empty. `namespace` is that of the referring
 * object.
 */
export const objectLocation = (
  reference: ReferenceOnWire | undefined,
  namespace: string,
): ObjectLocation | undefined => {
  if (reference?.kind === undefined || reference.name === undefined) return undefined
  return {
    group: reference.apiGroup ?? groupOf(reference.apiVersion ?? ''),
    kind: reference.kind,
    namespace: reference.namespace ?? namespace,
    name: reference.name,
  }
}

const groupOf = (apiVersion: string): string => {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

/** Returns true if an annotation pauses the object. Does not check whether the object's Cluster is paused. */
export const hasPausedAnnotation = (object: KubeObject): boolean =>
  object.metadata.annotations?.[clusterApiAnnotations.paused] !== undefined

/** Returns undefined for an empty string, which means a missing field. */
export const presentText = (text: string | undefined): string | undefined => (text === '' ? undefined : text)
