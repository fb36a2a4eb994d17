/** This file defines the fields of every Kubernetes object, as in JSON: times are RFC 3339 strings and not `Date` objects. */

import type { Seconds } from '../units.ts'

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: 'Apply' | 'Update'
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: 'FieldsV1'
  readonly fieldsV1?: Readonly<Record<string, unknown>>
  readonly subresource?: string
}

/** Metadata as the API returns it. Objects to create may omit all of it; see `NewObject`. */
export interface ObjectMeta {
  readonly name: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: Seconds
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** An object to create. The server completes its metadata, including the name if `generateName` is set. */
export type NewObject<T extends KubeObject = KubeObject> = Omit<T, 'metadata'> & {
  readonly metadata: Partial<ObjectMeta>
}

export interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface KubeList<T> {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ListMeta
  readonly items: readonly T[]
}

/** A `metav1.Condition`. The older conditions of pods and nodes have no `observedGeneration`. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly lastHeartbeatTime?: string
  readonly lastProbeTime?: string | null
  readonly observedGeneration?: number
}

export interface LabelSelectorRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}

/**
 * A label selector. An empty selector matches everything. An absent selector matches either everything or nothing, depending on the field.
 */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelSelectorRequirement[]
}

export interface ObjectReference {
  readonly apiVersion?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly fieldPath?: string
}

/** Quantities as in the API: `"100m"`, `"1Gi"`, and sometimes a plain number. */
export type ResourceList = Readonly<Record<string, string | number>>
export type IntOrString = number | string
