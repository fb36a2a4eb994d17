import type { TSchema } from 'typebox'
import type { ResourceKind } from '../kubernetes/kinds.ts'
import type { KubeObject } from '../kubernetes/object.ts'

/** A column of `kubectl get`. Priority 1 shows only with `-o wide`. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date'
  readonly jsonPath: string
  readonly priority?: 1
  readonly description?: string
}

/** Everything a CustomResourceDefinition says about one kind. The CRD, the validator and the reference page come from it. */
export interface CustomResource<T extends KubeObject = KubeObject> {
  readonly kind: ResourceKind<T>
  /** Versions that are served besides, with the same schema, and with a warning to whoever uses them. */
  readonly olderVersions?: readonly { readonly name: string; readonly warning: string }[]
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly description: string
  readonly printerColumns: readonly PrinterColumn[]
  /** Paths of the scale subresource; absent when the kind has none. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string }
  readonly spec: TSchema
  readonly specRequired: boolean
  readonly status: TSchema
}

export const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }
export const readyColumn: PrinterColumn = {
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
}
