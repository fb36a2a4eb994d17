import type { KubeObject } from '@kerf/apis'
import type { TypeSchema } from '../schema/type-schema.ts'
import type { Collection } from '../store/collection.ts'
import type { JsonObject } from '../store/json.ts'
import type { FieldError } from '../store/status-errors.ts'
import type { WriteRequest } from './request.ts'

/** One resource in one version, as discovery lists it. Versions of a resource share one collection. */
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
  /** How lists merge and which fields there are; custom resources derive it from their schema. */
  readonly schema: TypeSchema
  readonly conversion?: Conversion
  /** Only custom resources have one. */
  readonly custom?: CustomResource
}

export interface Subresource {
  readonly name: string
  readonly kind: string
  readonly group: string
  readonly version: string
  readonly verbs: readonly string[]
}

/** Between the stored form of an object and the form of one served version. */
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

/** What is particular to a kind when its objects are written. Drafts are changed in place. */
export interface Strategy {
  /** `metadata.generation` counts changes of the desired state. */
  readonly keepsGeneration: boolean
  /** `status` is written only through its subresource. */
  readonly hasStatus: boolean
  /** A write to `status` may also change labels and annotations (pods and nodes). */
  readonly statusWritesMetadata: boolean
  /** An update without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean
  /** An update of an object that is not there creates it. */
  readonly createOnUpdate: boolean
  /** Drops or refuses what the schema does not know and refuses values of the wrong type. */
  decode(draft: JsonObject, request: WriteRequest): void
  /** Defaulting and admission, after metadata has been filled in. */
  prepareCreate(draft: JsonObject, request: WriteRequest): void
  prepareUpdate(draft: JsonObject, before: KubeObject, subresource: string | undefined): void
  validate(draft: JsonObject, before: KubeObject | undefined, subresource: string | undefined): FieldError[]
  /** The grace period of a deletion, for kinds that are stopped gracefully. */
  gracePeriod?(object: KubeObject, requested: number | undefined): number
}

export const apiVersionOfResource = (resource: { readonly group: string; readonly version: string }): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`

/** The object in the form of this version. */
export const served = (resource: Resource, object: KubeObject): KubeObject =>
  resource.conversion === undefined ? object : resource.conversion.toServed(object)
