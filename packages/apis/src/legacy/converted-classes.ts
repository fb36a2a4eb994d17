import { groupVersion, type ResourceKind } from '../kubernetes/kinds.ts'
import type { KubeObject } from '../kubernetes/object.ts'
import type { ConvertedPool } from './convert-pool.ts'
import { type FieldReporter, type Json, recordOrEmpty } from './field-reporter.ts'
import type { LegacyTemplates, TemplateInput } from './legacy-templates.ts'

/** An old object's description of its machines, and the name and the metadata of the node class to create from it. */
export interface OldClass extends Omit<TemplateInput, 'target'> {
  readonly name: string
  readonly metadata: Json
}

/** The source of the description of a Provisioner's machines: the Provisioner itself, a template, or nothing. */
export type ClassOrigin = 'inline' | 'template' | 'nowhere'

const objectSpec = (object: KubeObject): Json => recordOrEmpty((object as { readonly spec?: unknown }).spec)

/**
 * Collects the node classes that are converted from old objects. In v1, the kubelet settings of a pool are part of its node class.
 */
export class ConvertedClasses {
  readonly kind: ResourceKind
  readonly #templates: LegacyTemplates
  /** Whether old templates are converted to the kind of these node classes. */
  readonly #isOfTemplates: boolean
  readonly #report: (object: string, message: string) => void
  readonly #byName = new Map<string, KubeObject>()
  /** The kubelet settings, as text, that v1beta1 pools have added to each node class. */
  readonly #taken = new Map<string, string | undefined>()

  /** Calls `report` with the name of the object and a message for each problem that the user must solve. */
  constructor(kind: ResourceKind, templates: LegacyTemplates, report: (object: string, message: string) => void) {
    this.kind = kind
    this.#templates = templates
    this.#isOfTemplates = groupVersion(kind) === groupVersion(templates.nodeClass.kind)
    this.#report = report
  }

  values(): Iterable<KubeObject> {
    return this.#byName.values()
  }

  /** Returns the name of a node class for messages, in the form `Kind/name`. */
  reference(name: string): string {
    return `${this.kind.kind}/${name}`
  }

  add({ name, metadata, spec, path, reporter, ...defaults }: OldClass): void {
    if (this.#isOfTemplates) {
      const target = this.reference(name)
      this.#put(name, metadata, this.#templates.convertSpec({ spec, path, reporter, target, ...defaults }))
      return
    }
    const note = `a ${this.kind.kind} has no such field: it applies only ${this.#templates.applies}`
    for (const field of Object.keys(spec)) reporter.record(`${path}.${field}`, 'gone', undefined, note)
    this.#put(name, metadata, {})
  }

  /**
   * Adds an existing v1 node class that pools may extend with kubelet settings. If `isUsedAsItIs`, v1 pools also use the class, so its
   * settings must not change. Converted pools with other settings then get a copy of the class.
   */
  adopt(name: string, metadata: Json, spec: Json, isUsedAsItIs: boolean): void {
    this.#put(name, metadata, spec)
    if (isUsedAsItIs) this.#taken.set(name, JSON.stringify(spec['kubelet']))
  }

  /** Adds an empty node class for a Provisioner that does not describe its machines, if the provider supports that. */
  addDefault(name: string): void {
    if (!this.#isOfTemplates) this.#put(name, { name }, {})
  }

  /**
   * Returns the node class for a Provisioner and its kubelet settings. A Provisioner with a template and kubelet settings always gets a
   * separate class, so that the name of the class does not depend on other Provisioners.
   */
  forProvisioner(name: string, pool: ConvertedPool, origin: ClassOrigin, reporter: FieldReporter): string {
    const { className, kubelet, kubeletPath } = pool
    if (origin === 'nowhere' && !this.#byName.has(className)) {
      this.#report(`NodePool/${name}`, 'does not describe its machines: set spec.provider or spec.providerRef')
      return className
    }
    const nodeClass = this.#named(name, pool, reporter)
    if (nodeClass === undefined || kubelet === undefined) return className
    if (!this.#isOfTemplates) {
      reporter.record(kubeletPath, 'gone', undefined, `a ${this.kind.kind} has no kubelet settings`)
      return className
    }
    const own = origin !== 'template' ? className : `${className}-${name}`
    this.#put(own, { ...nodeClass.metadata, name: own }, { ...objectSpec(nodeClass), kubelet })
    const note =
      origin !== 'template'
        ? 'part of the node class in v1'
        : `part of the node class in v1: this class is a copy of ${this.reference(className)} with these settings`
    reporter.record(kubeletPath, 'changed', `${this.reference(own)} spec.kubelet`, note)
    return own
  }

  /**
   * Returns the node class for a v1beta1 pool. The kubelet settings of the first pool go into the class. Pools with other settings get
   * copies of the class.
   */
  forBetaPool(name: string, pool: ConvertedPool, reporter: FieldReporter): string {
    const { className, kubelet, kubeletPath } = pool
    const nodeClass = this.#named(name, pool, reporter)
    if (nodeClass === undefined) return className
    const spec = objectSpec(nodeClass)
    const wanted = JSON.stringify(kubelet)
    const isFree = !this.#taken.has(className)
    if (isFree || this.#taken.get(className) === wanted) {
      this.#taken.set(className, wanted)
      if (kubelet !== undefined) {
        this.#put(className, { ...nodeClass.metadata }, { ...spec, kubelet })
        reporter.record(
          kubeletPath,
          'changed',
          `${this.reference(className)} spec.kubelet`,
          'part of the node class in v1',
        )
      }
      return className
    }
    const own = `${className}-${name}`
    const { kubelet: _, ...rest } = spec
    this.#taken.set(own, wanted)
    this.#put(own, { ...nodeClass.metadata, name: own }, { ...rest, ...(kubelet === undefined ? {} : { kubelet }) })
    reporter.record(
      kubelet === undefined ? 'spec.kubelet' : kubeletPath,
      kubelet === undefined ? 'added' : 'changed',
      this.reference(own),
      `another pool uses ${this.reference(className)} with other kubelet settings, so this pool gets its own copy`,
    )
    return own
  }

  #put(name: string, metadata: Json, spec: Json): void {
    const object = { apiVersion: groupVersion(this.kind), kind: this.kind.kind, metadata: { ...metadata, name }, spec }
    this.#byName.set(name, object)
  }

  /** Returns the node class that a pool refers to. If the class does not exist, reports that and returns undefined. */
  #named(
    name: string,
    { className, kubelet, kubeletPath }: ConvertedPool,
    reporter: FieldReporter,
  ): KubeObject | undefined {
    const nodeClass = this.#byName.get(className)
    if (nodeClass !== undefined) return nodeClass
    const reference = this.reference(className)
    const besides = kubelet === undefined ? '' : ', and add the kubelet settings of the pool to its spec.kubelet'
    this.#report(`NodePool/${name}`, `refers to ${reference}, which is not in the manifests: convert it too${besides}`)
    if (kubelet !== undefined)
      reporter.record(
        kubeletPath,
        'gone',
        undefined,
        `belongs in spec.kubelet of ${reference}, which is not in the manifests`,
      )
    return undefined
  }
}
