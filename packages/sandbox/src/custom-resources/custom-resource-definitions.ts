import { formatTime, type KubeObject } from '@kerf/apis'
import type { Deleting } from '../operations/deleting.ts'
import type { Writing } from '../operations/writing.ts'
import type { ApiState } from '../resources/api-state.ts'
import { administrator } from '../resources/request.ts'
import type { Conversion, PrinterColumn, Resource, ScalePaths, Subresource } from '../resources/resource.ts'
import { customType } from '../schema/custom-type.ts'
import { Collection } from '../store/collection.ts'
import { selectableFields } from '../store/field-selector.ts'
import {
  cloneObject,
  ensureObject,
  equal,
  type JsonObject,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
} from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import { crdErrors } from './crd-validation.ts'
import { compileCustomSchema } from './custom-schema.ts'
import { customStrategy, servesStatus } from './custom-strategy.ts'

const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io'
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const isCrd = (resource: Resource): boolean =>
  resource.group === 'apiextensions.k8s.io' && resource.plural === 'customresourcedefinitions'

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Serves the resources that CustomResourceDefinitions define, from the time a CRD is stored until its last object is gone. */
export class CustomResourceDefinitions {
  readonly #state: ApiState
  readonly #historyLimit: number
  readonly #served = new Map<string, { readonly resources: readonly Resource[]; readonly spec: unknown }>()
  #writing: Writing | undefined
  #deleting: Deleting | undefined

  constructor(state: ApiState, historyLimit: number) {
    this.#state = state
    this.#historyLimit = historyLimit
  }

  /** Must be called before the first write. */
  start(writing: Writing, deleting: Deleting): void {
    this.#writing = writing
    this.#deleting = deleting
  }

  /** Fills in and validates the names in a CRD, and sets the Established condition. */
  beforeCreate(resource: Resource, draft: JsonObject): void {
    if (!isCrd(resource)) return
    this.#check(resource, draft)
    const metadata = ensureObject(draft, 'metadata')
    metadata['finalizers'] = [...new Set([...strings(metadata['finalizers']), CLEANUP])]
    const now = formatTime(this.#state.clock.now())
    draft['status'] = {
      acceptedNames: { ...objectAt(objectAt(draft, 'spec'), 'names') },
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
          lastTransitionTime: now,
        },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
          lastTransitionTime: now,
        },
      ],
      storedVersions: objectsAt(objectAt(draft, 'spec'), 'versions')
        .filter((version) => version['storage'] === true)
        .map((version) => String(version['name'])),
    }
  }

  beforeUpdate(resource: Resource, draft: JsonObject): void {
    if (isCrd(resource)) this.#check(resource, draft)
  }

  afterStore(resource: Resource, object: KubeObject): void {
    if (!isCrd(resource)) return
    const name = object.metadata.name
    if (object.metadata.deletionTimestamp !== undefined) {
      this.#cleanUp(name)
      return
    }
    const spec = objectAt(object, 'spec') ?? {}
    const known = this.#served.get(name)
    if (known !== undefined && equal(known.spec, spec)) return
    for (const old of known?.resources ?? []) this.#state.registry.remove(old)
    const resources = this.#build(name, spec, known?.resources[0]?.collection)
    for (const one of resources) this.#state.registry.add(one)
    this.#served.set(name, { resources, spec })
  }

  afterRemove(resource: Resource, _object: KubeObject): void {
    if (resource.custom !== undefined) this.#finishCleanUp(resource.custom.crdName)
  }

  #check(resource: Resource, draft: JsonObject): void {
    const spec = ensureObject(draft, 'spec')
    const names = ensureObject(spec, 'names')
    const kind = stringAt(names, 'kind') ?? ''
    setDefault(names, 'singular', kind.toLowerCase())
    setDefault(names, 'listKind', `${kind}List`)
    setDefault(spec, 'conversion', { strategy: 'None' })
    const errors = crdErrors(draft)
    if (errors.length > 0) {
      throw statusErrors.invalid(resource, stringAt(objectAt(draft, 'metadata'), 'name') ?? '', errors)
    }
  }

  #build(crdName: string, spec: JsonObject, known: Collection | undefined): Resource[] {
    const names = objectAt(spec, 'names') ?? {}
    const group = String(spec['group'])
    const plural = String(names['plural'])
    const kind = String(names['kind'])
    const versions = objectsAt(spec, 'versions')
    const collection = known ?? new Collection(this.#state.revision, this.#historyLimit)
    const stored = String(versions.find((version) => version['storage'] === true)?.['name'])
    return versions
      .filter((version) => version['served'] === true)
      .map((version): Resource => {
        const name = String(version['name'])
        const openApi = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema') ?? {}
        const hasStatus = servesStatus(version)
        const scale = objectAt(objectAt(version, 'subresources'), 'scale') as ScalePaths | undefined
        const subresources: Subresource[] = [
          ...(hasStatus ? [{ name: 'status', kind, group, version: name, verbs: ['get', 'patch', 'update'] }] : []),
          ...(scale === undefined
            ? []
            : [
                {
                  name: 'scale',
                  kind: 'Scale',
                  group: 'autoscaling',
                  version: 'v1',
                  verbs: ['get', 'patch', 'update'],
                },
              ]),
        ]
        return {
          group,
          version: name,
          kind,
          plural,
          singular: String(names['singular']),
          namespaced: spec['scope'] === 'Namespaced',
          shortNames: strings(names['shortNames']),
          categories: strings(names['categories']),
          verbs,
          subresources,
          collection,
          selectable: selectableFields(
            group,
            plural,
            objectsAt(version, 'selectableFields').map((field) => String(field['jsonPath']).replace(/^\./, '')),
          ),
          strategy: customStrategy(kind, compileCustomSchema(openApi, scale), hasStatus),
          schema: customType(`${group}.${name}.${kind}`, openApi),
          ...(name === stored ? {} : { conversion: versionConversion(`${group}/${name}`, `${group}/${stored}`) }),
          custom: {
            crdName,
            columns: objectsAt(version, 'additionalPrinterColumns') as unknown as PrinterColumn[],
            ...(scale === undefined ? {} : { scale }),
            openApi,
          },
        }
      })
  }

  /** Deletes all custom resources of a CRD that is being deleted. The CRD remains until their finalizers have been removed. */
  #cleanUp(name: string): void {
    const resource = this.#served.get(name)?.resources[0]
    for (const object of resource?.collection.list() ?? []) {
      if (resource === undefined || object.metadata.deletionTimestamp !== undefined) continue
      this.#deleting?.delete(resource, object.metadata.namespace, object.metadata.name, {
        identity: administrator,
      })
    }
    this.#finishCleanUp(name)
  }

  #finishCleanUp(name: string): void {
    const crds = this.#state.registry.of({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
    })
    const crd = crds.collection.get(name)
    const served = this.#served.get(name)
    if (crd?.metadata.deletionTimestamp === undefined || served === undefined) return
    const collection = served.resources[0]?.collection
    if (collection !== undefined && collection.size > 0) return
    this.#served.delete(name)
    for (const resource of served.resources) this.#state.registry.remove(resource)
    collection?.end()
    this.#writing?.update(
      crds,
      undefined,
      name,
      (before) => {
        const draft = cloneObject(before)
        const metadata = ensureObject(draft, 'metadata')
        metadata['finalizers'] = strings(metadata['finalizers']).filter((finalizer) => finalizer !== CLEANUP)
        return draft
      },
      { identity: administrator },
    )
  }
}

/** Converts between two versions of a CRD without a conversion webhook. They differ only in `apiVersion`. */
const versionConversion = (served: string, stored: string): Conversion => {
  const views = new WeakMap<KubeObject, KubeObject>()
  return {
    toServed(object) {
      const known = views.get(object)
      if (known !== undefined) return known
      const view = Object.freeze({ ...object, apiVersion: served })
      views.set(object, view)
      return view
    },
    toStored(draft) {
      draft['apiVersion'] = stored
    },
  }
}
