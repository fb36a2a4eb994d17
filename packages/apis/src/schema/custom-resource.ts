import type { TSchema } from 'typebox'
import type { ResourceKind } from '../kubernetes/kinds.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import type { Rule } from './field.ts'

/** A column of `kubectl get`. A column with priority 1 is shown only with `-o wide`. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date'
  readonly jsonPath: string
  readonly priority?: 1
  readonly description?: string
}

/** The definition of a resource kind. The CRD, the validator and the reference page are generated from it. */
export interface CustomResource<T extends KubeObject = KubeObject> {
  readonly kind: ResourceKind<T>
  /** Other versions that are served with the same schema. Clients that use them get the warning. */
  readonly olderVersions?: readonly { readonly name: string; readonly warning: string }[]
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly description: string
  readonly printerColumns: readonly PrinterColumn[]
  /** The paths of the scale subresource. Absent if the resource kind has no such subresource. */
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string }
  /** Rules about the whole object. They may read `self.metadata.name`. */
  readonly rules?: readonly Rule[]
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
