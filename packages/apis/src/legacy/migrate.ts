import { resourceAdmission } from '../admission.ts'
import { groupVersion } from '../kubernetes/kinds.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import { ownValue } from '../own-value.ts'
import { plainText } from '../plain-text.ts'
import { coreResources, karpenterKinds } from '../resources/index.ts'
import { rulesNotChecked } from '../schema/compiled-schema.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import { formatFieldError } from '../schema/field-error.ts'
import { type ConvertedPool, convertBetaPool, convertProvisioner, kubeletSettings } from './convert-pool.ts'
import { convertSettings, type OldSettings, settingsMaps } from './convert-settings.ts'
import { type ClassOrigin, ConvertedClasses, type OldClass } from './converted-classes.ts'
import { type FieldReport, FieldReporter, type Json, objectReference, recordOrEmpty } from './field-reporter.ts'
import {
  annotatedKubelet,
  CLASS_ANNOTATION,
  isAnnotatedPool,
  KUBELET_ANNOTATION,
  legacyClassName,
  writtenMetadata,
} from './kubelet-annotation.ts'
import type { LegacyTemplates } from './legacy-templates.ts'
import { keptMetadata } from './metadata.ts'
import { type OldNames, oldNames } from './old-names.ts'
import { withNewNames } from './rename-keys.ts'

export interface MigrationOptions {
  readonly templates: LegacyTemplates
  /** The kind of node class for Provisioners and their templates. Defaults to the kind that templates are converted to. */
  readonly nodeClass?: CustomResource
  /** The version of the cluster, for example 1.33. Some defaults depend on it. */
  readonly kubernetesVersion?: string
  /**
   * Default values, keyed by the field of the node class. They apply to fields that the template of the node class does not set. The old
   * settings override them.
   */
  readonly classDefaults?: Readonly<Record<string, string>>
}

/** A part of the old configuration that v1 refuses or has no field for. */
export interface MigrationProblem {
  /** The object, for example `NodePool/default`. */
  readonly object: string
  /** The problem, and the decision that the user must make. */
  readonly message: string
}

/** The result of converting old manifests to v1. */
export interface Migration {
  /** The node classes, then the pools that refer to them, and then all other objects in which an old name was replaced. */
  readonly objects: readonly KubeObject[]
  /** How each field of each old object was converted. */
  readonly fields: readonly FieldReport[]
  /** The controller's settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>
  readonly problems: readonly MigrationProblem[]
  /** The objects that are not old Karpenter objects and were not changed. */
  readonly untouched: readonly string[]
}

type OldKind = 'provisioner' | 'node-template' | 'beta-pool' | 'beta-class' | 'settings' | 'annotated-pool'

const objectKind = (
  object: KubeObject,
  { resource, nodeClass, olderVersions }: LegacyTemplates,
): OldKind | undefined => {
  if (isAnnotatedPool(object)) return 'annotated-pool'
  const { apiVersion, kind, metadata } = object
  if (kind === resource.kind.kind && apiVersion === groupVersion(resource.kind)) return 'node-template'
  const older = olderVersions.map((version) => `${nodeClass.kind.group}/${version}`)
  if (kind === nodeClass.kind.kind && older.includes(apiVersion)) return 'beta-class'
  switch (`${apiVersion}/${kind}`) {
    case 'karpenter.sh/v1alpha5/Provisioner':
      return 'provisioner'
    case 'karpenter.sh/v1beta1/NodePool':
      return 'beta-pool'
    case 'v1/ConfigMap':
      return settingsMaps.includes(metadata.name) ? 'settings' : undefined
    default:
      return undefined
  }
}

const objectSpec = (object: KubeObject): Json => recordOrEmpty((object as { readonly spec?: unknown }).spec)

/** Converts all objects together, because v1 moved fields from pools to their node classes. */
class Conversion {
  readonly #options: MigrationOptions
  readonly #nodeClass: CustomResource
  readonly #names: OldNames
  readonly #classes: ConvertedClasses
  readonly #pools: KubeObject[] = []
  readonly #reporters: FieldReporter[] = []
  readonly #renamed: KubeObject[] = []
  readonly #renames: FieldReport[] = []
  readonly #problems: MigrationProblem[] = []
  readonly #untouched: string[] = []
  #settings: OldSettings

  constructor(options: MigrationOptions) {
    this.#options = options
    const { templates, nodeClass = templates.nodeClass, classDefaults = {} } = options
    this.#nodeClass = nodeClass
    this.#names = oldNames(templates)
    this.#classes = new ConvertedClasses(nodeClass.kind, templates, (object, message) => this.#problem(object, message))
    this.#settings = { env: {}, classDefaults }
  }

  run(objects: readonly KubeObject[]): Migration {
    const old = objects.map((object) => ({ object, kind: objectKind(object, this.#options.templates) }))
    // The settings come first, because they contain the default instance profile. Node classes come next, because pools add to
    // them.
    for (const { object } of old.filter(({ kind }) => kind === 'settings')) this.#readSettings(object)
    for (const { object, kind } of old) if (kind === 'node-template' || kind === 'beta-class') this.#addClass(object)
    for (const { object, kind } of old) if (kind === 'provisioner' || kind === 'beta-pool') this.#addPool(object, kind)
    const adopted = this.#addAnnotated(objects)
    for (const { object, kind } of old) if (kind === undefined && !adopted.has(object)) this.#rename(object)
    const made = [...this.#classes.values(), ...this.#pools]
    for (const object of made) this.#check(object)
    for (const object of [...made, ...objects.filter((each) => !adopted.has(each))]) this.#checkClass(object)
    return {
      objects: [...made, ...this.#renamed],
      fields: [...this.#reporters.flatMap((reporter) => reporter.finish()), ...this.#renames],
      settings: this.#settings.env,
      problems: this.#problems,
      untouched: this.#untouched,
    }
  }

  #problem(object: string, message: string): void {
    this.#problems.push({ object, message })
  }

  /** Renames keys in workloads. Reports old names that remain in other places, so that the user can review them. */
  #rename(object: KubeObject): void {
    const { object: renamed, fields } = withNewNames(object, this.#names)
    if (fields.length === 0) this.#untouched.push(objectReference(object))
    else {
      this.#renamed.push(renamed)
      this.#renames.push(...fields)
    }
    const text = JSON.stringify(renamed)
    for (const [old, now] of this.#names.renamed) {
      if (!text.includes(`"${old}"`)) continue
      const remedy = now === undefined ? 'remove it' : `write ${now}`
      this.#problem(objectReference(object), `uses ${old}, which v1 ignores: ${remedy}`)
    }
  }

  #reporter(object: KubeObject): FieldReporter {
    const reporter = new FieldReporter(objectReference(object), object)
    this.#reporters.push(reporter)
    return reporter
  }

  #readSettings(object: KubeObject): void {
    const { data } = object as { readonly data?: unknown }
    const read = convertSettings(data, this.#options.templates.settings, this.#reporter(object))
    const { env, classDefaults } = this.#settings
    this.#settings = { env: { ...env, ...read.env }, classDefaults: { ...classDefaults, ...read.classDefaults } }
  }

  #convertClass(old: Pick<OldClass, 'name' | 'metadata' | 'spec' | 'path' | 'reporter'>): void {
    const { kubernetesVersion } = this.#options
    const { classDefaults } = this.#settings
    this.#classes.add({
      ...old,
      classDefaults,
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    })
  }

  #addClass(object: KubeObject): void {
    const reporter = this.#reporter(object)
    const name = object.metadata.name ?? 'default'
    const metadata = keptMetadata({ ...object.metadata }, name, reporter, this.#classes.reference(name), this.#names)
    this.#convertClass({ name, metadata, spec: objectSpec(object), path: 'spec', reporter })
  }

  #addPool(object: KubeObject, kind: 'provisioner' | 'beta-pool'): void {
    const reporter = this.#reporter(object)
    const name = object.metadata.name ?? 'default'
    const to = `NodePool/${name}`
    const spec = objectSpec(object)
    const metadata = keptMetadata({ ...object.metadata }, name, reporter, to, this.#names)
    const place = (pool: ConvertedPool): string => {
      if (kind === 'beta-pool') return this.#classes.forBetaPool(name, pool, reporter)
      const origin = this.#readInline(name, spec, reporter)
      return this.#classes.forProvisioner(name, pool, origin, reporter)
    }
    const { templates } = this.#options
    const conversion = { reporter, to, classKind: this.#classes.kind, templates, names: this.#names }
    const pool =
      kind === 'beta-pool' ? convertBetaPool(name, spec, conversion) : convertProvisioner(name, spec, conversion)
    this.#pools.push(poolOf(metadata, withClass(pool.spec, place(pool))))
  }

  /**
   * Converts v1 NodePools that have kubelet settings in an annotation. These settings override those of the node class. Returns the v1 node
   * classes that receive these settings.
   */
  #addAnnotated(objects: readonly KubeObject[]): ReadonlySet<KubeObject> {
    const pools = objects.filter(isAnnotatedPool)
    const named = new Set(pools.map(legacyClassName))
    const { kind } = this.#classes
    const adopted = objects.filter(
      (object) =>
        object.kind === kind.kind && object.apiVersion === groupVersion(kind) && named.has(object.metadata.name),
    )
    for (const nodeClass of adopted) {
      const isAlsoUsedAsItIs = objects.some(
        (object) =>
          object.kind === 'NodePool' && !isAnnotatedPool(object) && legacyClassName(object) === nodeClass.metadata.name,
      )
      this.#classes.adopt(
        nodeClass.metadata.name,
        writtenMetadata(nodeClass, []),
        objectSpec(nodeClass),
        isAlsoUsedAsItIs,
      )
    }
    for (const pool of pools) this.#addAnnotatedPool(pool)
    return new Set(adopted)
  }

  #addAnnotatedPool(object: KubeObject): void {
    const path = `metadata.annotations.${KUBELET_ANNOTATION}`
    const annotations = { ...object.metadata.annotations }
    const own = [KUBELET_ANNOTATION, CLASS_ANNOTATION].filter((key) => Object.hasOwn(annotations, key))
    const reporter = this.#reporter({
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: {
        name: object.metadata.name,
        annotations: Object.fromEntries(own.map((key) => [key, ownValue(annotations, key) ?? ''])),
      },
    })
    reporter.record('metadata.name', 'kept', objectReference(object))
    if (Object.hasOwn(annotations, CLASS_ANNOTATION))
      reporter.record(`metadata.annotations.${CLASS_ANNOTATION}`, 'gone', undefined, 'only Karpenter 1.0 reads it')
    const kubelet = annotatedKubelet(object)
    const className = legacyClassName(object) ?? object.metadata.name
    const spec = objectSpec(object)
    let placed = className
    if (kubelet === null) {
      reporter.record(path, 'gone', undefined, 'it is not the JSON of an object')
      this.#problem(
        objectReference(object),
        `${path} is not the JSON of an object: look up which kubelet settings it should have`,
      )
    } else if (kubelet !== undefined)
      placed = this.#classes.forBetaPool(
        object.metadata.name,
        { spec, className, kubeletPath: path, ...kubeletSettings(kubelet, path, reporter) },
        reporter,
      )
    const { object: renamed, fields } = withNewNames(
      poolOf(writtenMetadata(object, own), placed === className ? spec : withClass(spec, placed)),
      this.#names,
    )
    this.#pools.push(renamed)
    this.#renames.push(...fields)
  }

  /**
   * Converts `spec.provider`, which describes the machines, to a node class, and `spec.cluster` of the oldest Provisioners to settings.
   * Returns the source of the description of the machines.
   */
  #readInline(name: string, spec: Json, reporter: FieldReporter): ClassOrigin {
    const [inline, reference] = [spec['provider'], spec['providerRef']]
    if (inline !== undefined && reference !== undefined)
      this.#problem(`NodePool/${name}`, 'has both spec.provider and spec.providerRef: keep one of them')
    if (inline !== undefined)
      this.#convertClass({ name, metadata: { name }, spec: recordOrEmpty(inline), path: 'spec.provider', reporter })
    else if (reference === undefined) this.#classes.addDefault(name)
    const cluster = recordOrEmpty(spec['cluster'])
    const env: Record<string, string> = {}
    for (const [field, variable] of [
      ['name', 'CLUSTER_NAME'],
      ['endpoint', 'CLUSTER_ENDPOINT'],
      ['caBundle', 'CLUSTER_CA_BUNDLE'],
    ] as const) {
      if (cluster[field] === undefined) continue
      env[variable] = plainText(cluster[field])
      reporter.record(`spec.cluster.${field}`, 'renamed', variable, 'a setting of the controller')
    }
    this.#settings = { ...this.#settings, env: { ...env, ...this.#settings.env } }
    if (inline !== undefined) return 'inline'
    return reference === undefined ? 'nowhere' : 'template'
  }

  /**
   * Reports what is missing in a node class. The schema's rules find the same problems, but an API server does not check these rules if
   * there is another error.
   */
  #checkClass(object: KubeObject): void {
    const { nodeClass, problemOf } = this.#options.templates
    if (object.kind !== nodeClass.kind.kind || object.apiVersion !== groupVersion(nodeClass.kind)) return
    const problem = problemOf(objectSpec(object))
    if (problem !== undefined) this.#problem(objectReference(object), problem)
  }

  #check(object: KubeObject): void {
    const resource = [...coreResources, this.#nodeClass].find(
      ({ kind }) => kind.kind === object.kind && groupVersion(kind) === object.apiVersion,
    )
    if (resource === undefined) return
    const admission = resourceAdmission(resource).create(object)
    const reference = objectReference(object)
    // Omits two kinds of messages: the note about unchecked rules, because it has no remedy, and messages of rules that `#checkClass`
    // explains better.
    const said = admission.accepted
      ? []
      : admission.errors.filter(
          (error) => error !== rulesNotChecked && !this.#options.templates.explainedRules.test(error.message),
        )
    for (const error of said) this.#problem(reference, formatFieldError(error))
    for (const field of admission.unknownFields) this.#problem(reference, `${field} is unknown to v1: remove it`)
  }
}

const poolOf = (metadata: Json, spec: Json): KubeObject =>
  ({ apiVersion: groupVersion(karpenterKinds.NodePool), kind: 'NodePool', metadata, spec }) as unknown as KubeObject

const withClass = (spec: Json, className: string): Json => {
  const template = recordOrEmpty(spec['template'])
  const inner = recordOrEmpty(template['spec'])
  const reference = { ...recordOrEmpty(inner['nodeClassRef']), name: className }
  return { ...spec, template: { ...template, spec: { ...inner, nodeClassRef: reference } } }
}

/**
 * Converts v1alpha5, v1alpha1 and v1beta1 objects to v1 (`docs/spec/older-apis.md`). The input is not changed. For each invalid object in
 * the result, `problems` explains what is wrong.
 */
export const migrateManifests = (objects: readonly KubeObject[], options: MigrationOptions): Migration =>
  new Conversion(options).run(objects)
