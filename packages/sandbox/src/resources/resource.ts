import type { KubeObject } from '@kerf/apis'
import type { TypeSchema } from '../schema/type-schema.ts'
import type { Collection } from '../store/collection.ts'
import type { JsonObject } from '../store/json.ts'
import type { FieldError } from '../store/status-errors.ts'
import type { WriteRequest } from './request.ts'

/** One resource in one version, as discovery lists it. All versions of a resource share one collection. */
export interface Resource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  readonly collection: Collection
  readonly selectable: ReadonlySet<string>
  readonly strategy: Strategy
  /** The resource's fields and how their lists merge. For custom resources, derived from the CRD's schema. */
  readonly schema: TypeSchema
  readonly conversion?: Conversion
  /** Set only for custom resources. */
  readonly custom?: CustomResource
}

export interface Subresource {
  readonly name: string
  readonly kind: string
  readonly group: string
  readonly version: string
  readonly verbs: readonly string[]
}

/** Converts between the stored form of an object and the form of one served version. */
export interface Conversion {
  toServed(stored: KubeObject): KubeObject
  toStored(draft: JsonObject): void
}

export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

export interface ScalePaths {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

interface CustomResource {
  readonly crdName: string
  readonly columns: readonly PrinterColumn[]
  readonly scale?: ScalePaths
  /** The `openAPIV3Schema` as written in the CRD. */
  readonly openApi: JsonObject
}

/** The write rules of a resource kind. Its functions modify the object being written (not yet stored) in place. */
export interface Strategy {
  /** Whether `metadata.generation` increases when the desired state changes. */
  readonly keepsGeneration: boolean
  /** Whether `status` can be written only through its subresource. */
  readonly hasStatus: boolean
  /** Whether a write to `status` may also change labels and annotations (pods and nodes). */
  readonly statusWritesMetadata: boolean
  /** Whether an update without a resourceVersion overwrites the stored object. */
  readonly unconditionalUpdate: boolean
  /** Whether an update of a missing object creates it. */
  readonly createOnUpdate: boolean
  /** Drops or refuses unknown fields. Refuses values of the wrong type. */
  decode(draft: JsonObject, request: WriteRequest): void
  /** Applies defaults and admission. Runs after the metadata has been filled in. */
  prepareCreate(draft: JsonObject, request: WriteRequest): void
  prepareUpdate(draft: JsonObject, before: KubeObject, subresource: string | undefined): void
  validate(draft: JsonObject, before: KubeObject | undefined, subresource: string | undefined): FieldError[]
  /** Returns a deletion's grace period. Absent for resource kinds that do not stop gracefully. */
  gracePeriod?(object: KubeObject, requested: number | undefined): number
}

export const apiVersionOfResource = (resource: { readonly group: string; readonly version: string }): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`

/** Returns the object in the form that this version serves. */
export const served = (resource: Resource, object: KubeObject): KubeObject =>
  resource.conversion === undefined ? object : resource.conversion.toServed(object)
