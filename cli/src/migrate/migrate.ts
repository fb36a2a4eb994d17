import { formatFieldError, type KubeObject, karpenterKinds, validateCreate } from '@kerf/apis'
import { convertNodeClassSpec } from './convert-node-class.ts'
import { type ConvertedPool, convertBetaPool, convertProvisioner } from './convert-pool.ts'
import { convertSettings, type OldSettings } from './convert-settings.ts'
import { FieldLedger, type FieldReport, type Json, recordOf, referenceOf } from './field-ledger.ts'
import { keptMetadata } from './metadata.ts'
import { renamedKeys } from './old-names.ts'

/** Old manifests rewritten as v1. */
export interface Migration {
  readonly objects: readonly KubeObject[]
  /** Of every field of every old object. */
  readonly fields: readonly FieldReport[]
  /** The controller's settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>
  /** What v1 refuses as it stands, or has no place for; each says what to decide. */
  readonly problems: readonly string[]
  /** Objects that are none of Karpenter's old ones, left as they are. */
  readonly untouched: readonly string[]
}

type OldKind = 'provisioner' | 'node-template' | 'beta-pool' | 'beta-class' | 'settings'

const kindOf = ({ apiVersion, kind, metadata }: KubeObject): OldKind | undefined => {
  switch (`${apiVersion}/${kind}`) {
    case 'karpenter.sh/v1alpha5/Provisioner':
      return 'provisioner'
    case 'karpenter.k8s.aws/v1alpha1/AWSNodeTemplate':
      return 'node-template'
    case 'karpenter.sh/v1beta1/NodePool':
      return 'beta-pool'
    case 'karpenter.k8s.aws/v1beta1/EC2NodeClass':
      return 'beta-class'
    case 'v1/ConfigMap':
      return metadata.name === 'karpenter' || metadata.name === 'karpenter-global-settings' ? 'settings' : undefined
    default:
      return undefined
  }
}

const specOf = (object: KubeObject): Json => recordOf((object as { readonly spec?: unknown }).spec)

/** Converts all objects together: pools and their classes share what v1 moved between them. */
class Conversion {
  readonly #classes = new Map<string, KubeObject>()
  readonly #pools: KubeObject[] = []
  /** The kubelet settings that each class has taken on, as text. */
  readonly #taken = new Map<string, string | undefined>()
  readonly #ledgers: FieldLedger[] = []
  readonly #problems: string[] = []
  readonly #untouched: string[] = []
  #settings: OldSettings = { env: {} }

  run(objects: readonly KubeObject[]): Migration {
    const old = objects.map((object) => ({ object, kind: kindOf(object) }))
    // Settings first: they hold the default instance profile. Classes next: pools add to them.
    for (const { object } of old.filter(({ kind }) => kind === 'settings')) this.#readSettings(object)
    for (const { object, kind } of old) if (kind === 'node-template' || kind === 'beta-class') this.#addClass(object)
    for (const { object, kind } of old) if (kind === 'provisioner' || kind === 'beta-pool') this.#addPool(object, kind)
    for (const { object, kind } of old) if (kind === undefined) this.#leave(object)
    const made = [...this.#classes.values(), ...this.#pools]
    for (const object of made) this.#check(object)
    return {
      objects: made,
      fields: this.#ledgers.flatMap((ledger) => ledger.finish()),
      settings: this.#settings.env,
      problems: this.#problems,
      untouched: this.#untouched,
    }
  }

  /** Workloads stay as they are; the old names in them mean nothing to v1. */
  #leave(object: KubeObject): void {
    this.#untouched.push(referenceOf(object))
    const text = JSON.stringify(object)
    for (const [old, now] of renamedKeys) {
      if (!text.includes(`"${old}"`)) continue
      const remedy = now === undefined ? 'take it out' : `write ${now}`
      this.#problems.push(`${referenceOf(object)} uses ${old}, which v1 ignores: ${remedy}`)
    }
  }

  #ledger(object: KubeObject): FieldLedger {
    const ledger = new FieldLedger(referenceOf(object), object)
    this.#ledgers.push(ledger)
    return ledger
  }

  #readSettings(object: KubeObject): void {
    const read = convertSettings((object as { readonly data?: unknown }).data, this.#ledger(object))
    this.#settings = { ...this.#settings, ...read, env: { ...this.#settings.env, ...read.env } }
  }

  #classFrom(name: string, metadata: Json, spec: Json, path: string, ledger: FieldLedger): void {
    const profile = this.#settings.defaultInstanceProfile
    const converted = convertNodeClassSpec({
      spec,
      path,
      ledger,
      target: `EC2NodeClass/${name}`,
      ...(profile === undefined ? {} : { defaultInstanceProfile: profile }),
    })
    this.#classes.set(name, classOf(metadata, converted))
  }

  #addClass(object: KubeObject): void {
    const ledger = this.#ledger(object)
    const name = object.metadata.name ?? 'default'
    const metadata = keptMetadata({ ...object.metadata }, name, ledger, `EC2NodeClass/${name}`)
    this.#classFrom(name, metadata, specOf(object), 'spec', ledger)
  }

  #addPool(object: KubeObject, kind: 'provisioner' | 'beta-pool'): void {
    const ledger = this.#ledger(object)
    const name = object.metadata.name ?? 'default'
    const to = `NodePool/${name}`
    const spec = specOf(object)
    const metadata = keptMetadata({ ...object.metadata }, name, ledger, to)
    const convert = kind === 'provisioner' ? convertProvisioner : convertBetaPool
    const pool = convert(name, spec, ledger, to)
    if (kind === 'provisioner') this.#readInline(name, spec, ledger)
    const className = this.#placeKubelet(name, pool, ledger)
    this.#pools.push({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata,
      spec: withClass(pool.spec, className),
    } as KubeObject)
  }

  /** What the oldest Provisioners held themselves: the class, and the cluster's name. */
  #readInline(name: string, spec: Json, ledger: FieldLedger): void {
    if (spec['provider'] !== undefined)
      this.#classFrom(name, { name }, recordOf(spec['provider']), 'spec.provider', ledger)
    const cluster = recordOf(spec['cluster'])
    const env: Record<string, string> = {}
    for (const [field, variable] of [
      ['name', 'CLUSTER_NAME'],
      ['endpoint', 'CLUSTER_ENDPOINT'],
      ['caBundle', 'CLUSTER_CA_BUNDLE'],
    ] as const) {
      if (cluster[field] === undefined) continue
      env[variable] = String(cluster[field])
      ledger.say(`spec.cluster.${field}`, 'renamed', variable, 'a setting of the controller')
    }
    this.#settings = { ...this.#settings, env: { ...env, ...this.#settings.env } }
  }

  /** Kubelet settings belong to the class in v1. Pools that differ in them get classes of their own. */
  #placeKubelet(name: string, { className, kubelet, kubeletPath }: ConvertedPool, ledger: FieldLedger): string {
    const nodeClass = this.#classes.get(className)
    if (nodeClass === undefined) {
      this.#problems.push(
        `NodePool/${name} names EC2NodeClass/${className}, which is not among the manifests: convert it too${kubelet === undefined ? '' : ', and put the kubelet settings of the pool into its spec.kubelet'}`,
      )
      if (kubelet !== undefined)
        ledger.say(kubeletPath, 'gone', undefined, `belongs into spec.kubelet of EC2NodeClass/${className}: not given`)
      return className
    }
    const spec = specOf(nodeClass)
    const wanted = JSON.stringify(kubelet)
    const isFree = !this.#taken.has(className)
    if (isFree || this.#taken.get(className) === wanted) {
      this.#taken.set(className, wanted)
      if (kubelet !== undefined) {
        this.#classes.set(className, classOf({ ...nodeClass.metadata }, { ...spec, kubelet }))
        ledger.say(kubeletPath, 'changed', `EC2NodeClass/${className} spec.kubelet`, 'belongs to the class in v1')
      }
      return className
    }
    const own = `${className}-${name}`
    const { kubelet: _, ...rest } = spec
    this.#taken.set(own, wanted)
    this.#classes.set(
      own,
      classOf({ ...nodeClass.metadata, name: own }, { ...rest, ...(kubelet === undefined ? {} : { kubelet }) }),
    )
    ledger.say(
      kubelet === undefined ? 'spec.kubelet' : kubeletPath,
      kubelet === undefined ? 'added' : 'changed',
      `EC2NodeClass/${own}`,
      `another pool uses EC2NodeClass/${className} with other kubelet settings: a copy of its own`,
    )
    return own
  }

  #check(object: KubeObject): void {
    const kind = object.kind === 'NodePool' ? karpenterKinds.NodePool : karpenterKinds.EC2NodeClass
    const admission = validateCreate<KubeObject>(kind, object)
    if (!admission.accepted)
      for (const error of admission.errors) this.#problems.push(`${referenceOf(object)}: ${formatFieldError(error)}`)
    for (const field of admission.unknownFields)
      this.#problems.push(`${referenceOf(object)}: ${field} is unknown to v1: take it out`)
  }
}

const classOf = (metadata: Json, spec: Json): KubeObject =>
  ({ apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata, spec }) as KubeObject

const withClass = (spec: Json, className: string): Json => {
  const template = recordOf(spec['template'])
  const inner = recordOf(template['spec'])
  const reference = { ...recordOf(inner['nodeClassRef']), name: className }
  return { ...spec, template: { ...template, spec: { ...inner, nodeClassRef: reference } } }
}

/** Rewrites v1alpha5, v1alpha1 and v1beta1 objects as v1 (`spec/core-api.md` 7). Only reads; what comes out is valid or a problem says why not. */
export const migrateManifests = (objects: readonly KubeObject[]): Migration => new Conversion().run(objects)
