import type {
  CounterSet,
  Device,
  DeviceAttribute,
  DeviceCapacity,
  DeviceClass,
  DeviceConstraint,
  DeviceCounterConsumption,
  DeviceRequest,
  DeviceSubRequest,
  NodeSelector,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '@kerf/apis'
import type { AttributeBinding, InstanceType } from '@kerf/engine'
import { type TypeTraits, type } from './instance-types.ts'
import { key } from './keys.ts'
import type { PodTraits } from './objects.ts'

/** The driver of all devices. The functions below build ResourceSlices, DeviceClasses, ResourceClaims, and instance types with devices. */

export const DRIVER = 'gpu.example.com'

export const deviceClass = (name: string, ...expressions: readonly string[]): DeviceClass => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name },
  spec: { selectors: expressions.map((expression) => ({ cel: { expression } })) },
})

/** A DeviceClass that selects every device of the driver. */
export const GPU = deviceClass('gpu', `device.driver == '${DRIVER}'`)

interface DeviceTraits {
  /** Attributes of type string. */
  readonly is?: Readonly<Record<string, string>>
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>
  readonly capacity?: Readonly<Record<string, string | DeviceCapacity>>
  readonly uses?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly shared?: boolean
  readonly more?: Partial<Device>
}

const consumption = (uses: NonNullable<DeviceTraits['uses']>): readonly DeviceCounterConsumption[] =>
  Object.entries(uses).map(([counterSet, counters]) => ({ counterSet, counters: counterValues(counters) }))

const counterValues = (counters: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(counters).map(([name, value]) => [name, { value }]))

export const device = (name: string, traits: DeviceTraits = {}): Device => ({
  name,
  attributes: {
    ...Object.fromEntries(Object.entries(traits.is ?? {}).map(([attribute, string]) => [attribute, { string }])),
    ...traits.attributes,
  },
  ...(traits.capacity === undefined
    ? {}
    : {
        capacity: Object.fromEntries(
          Object.entries(traits.capacity).map(([dimension, value]) => [
            dimension,
            typeof value === 'string' ? { value } : value,
          ]),
        ),
      }),
  ...(traits.uses === undefined ? {} : { consumesCounters: consumption(traits.uses) }),
  ...(traits.shared === true ? { allowMultipleAllocations: true } : {}),
  ...traits.more,
})

/** Returns identical devices with the names `prefix-0`, `prefix-1` and so on. */
export const devices = (count: number, traits: DeviceTraits = {}, prefix = 'gpu'): readonly Device[] =>
  Array.from({ length: count }, (_, index) => device(`${prefix}-${index}`, traits))

export const counterSet = (name: string, counters: Readonly<Record<string, string>>): CounterSet => ({
  name,
  counters: counterValues(counters),
})

interface SliceTraits {
  readonly name?: string
  readonly driver?: string
  readonly pool?: string
  readonly generation?: number
  /** The total number of slices, as declared by the pool. */
  readonly of?: number
  readonly node?: string
  /** Sets of zones. The pool's devices are accessible from the zones of each set. */
  readonly zones?: readonly (readonly string[])[]
  readonly selector?: NodeSelector
  readonly owner?: string
  readonly counters?: readonly CounterSet[]
  readonly more?: Partial<ResourceSlice['spec']>
}

export const zoneSelector = (...alternatives: readonly (readonly string[])[]): NodeSelector => ({
  nodeSelectorTerms: alternatives.map((values) => ({ matchExpressions: [{ key: key.zone, operator: 'In', values }] })),
})

/**
 * Returns a ResourceSlice of the driver: for `node`, for `zones`, or for all nodes. A node owns its slice, and the pool has the node's
 * name.
 */
export const slice = (listed: readonly Device[], traits: SliceTraits = {}): ResourceSlice => {
  const { driver = DRIVER, node, zones, generation = 1, of = 1, owner = node } = traits
  const pool = traits.pool ?? node ?? 'network'
  const selector = traits.selector ?? (zones === undefined ? undefined : zoneSelector(...zones))
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: {
      name: traits.name ?? `${pool}-${driver}`,
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: owner, uid: `uid-${owner}` }] }),
    },
    spec: {
      driver,
      pool: { name: pool, generation, resourceSliceCount: of },
      // The API accepts either devices or counters in a slice, not both.
      ...(listed.length === 0 && traits.counters !== undefined ? {} : { devices: listed }),
      ...(node !== undefined
        ? { nodeName: node }
        : selector !== undefined
          ? { nodeSelector: selector }
          : traits.more?.perDeviceNodeSelection === true
            ? {}
            : { allNodes: true }),
      ...(traits.counters === undefined ? {} : { sharedCounters: traits.counters }),
      ...traits.more,
    },
  }
}

type Asked = Partial<Omit<DeviceSubRequest, 'selectors' | 'capacity'>> & {
  readonly class?: string
  readonly where?: readonly string[]
  readonly capacity?: Readonly<Record<string, string>>
  readonly adminAccess?: boolean
}

const subRequest = ({ class: deviceClassName = 'gpu', where, capacity, ...rest }: Asked): DeviceSubRequest => ({
  deviceClassName,
  ...rest,
  ...(where === undefined ? {} : { selectors: where.map((expression) => ({ cel: { expression } })) }),
  ...(capacity === undefined ? {} : { capacity: { requests: capacity } }),
})

/** Returns a request for exactly these devices. The default DeviceClass is `gpu`. */
export const request = (name: string, asked: Asked = {}): DeviceRequest => ({ name, exactly: subRequest(asked) })

/** Returns a request for the first available of several alternatives. */
export const firstAvailableRequest = (
  name: string,
  ...ways: readonly (Asked & { readonly name: string })[]
): DeviceRequest => ({
  name,
  firstAvailable: ways.map((way) => ({ ...subRequest(way), name: way.name })),
})

interface ClaimTraits {
  readonly namespace?: string
  readonly constraints?: readonly DeviceConstraint[]
  /** The allocated devices, each as `driver/pool/device`. */
  readonly holds?: readonly string[]
  /** The nodes from which the allocated devices are accessible. */
  readonly at?: NodeSelector
  /** The names of the pods for which the ResourceClaim is reserved. */
  readonly for?: readonly string[]
  readonly status?: ResourceClaim['status']
  readonly consumed?: Readonly<Record<string, string>>
}

const statusOf = (traits: ClaimTraits): Pick<ResourceClaim, 'status'> => {
  const { holds, at, namespace = 'default' } = traits
  if (traits.status !== undefined) return { status: traits.status }
  if (holds === undefined) return {}
  const results = holds.map((text) => {
    const [driver = '', pool = '', name = ''] = text.split('/')
    const consumed = traits.consumed === undefined ? {} : { shareID: 'share', consumedCapacity: traits.consumed }
    return { request: 'gpu', driver, pool, device: name, ...consumed }
  })
  return {
    status: {
      allocation: { devices: { results }, ...(at === undefined ? {} : { nodeSelector: at }) },
      reservedFor: (traits.for ?? []).map((name) => ({ resource: 'pods', name, uid: `uid-${namespace}-${name}` })),
    },
  }
}

/** Returns a ResourceClaim. By default it requests one device. */
export const claim = (
  name: string,
  requests: readonly DeviceRequest[] = [request('gpu')],
  traits: ClaimTraits = {},
): ResourceClaim => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name, namespace: traits.namespace ?? 'default' },
  spec: { devices: { requests, ...(traits.constraints === undefined ? {} : { constraints: traits.constraints }) } },
  ...statusOf(traits),
})

export const claimTemplate = (name: string, ...requests: readonly DeviceRequest[]): ResourceClaimTemplate => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name, namespace: 'default' },
  spec: { spec: { devices: { requests } } },
})

/** Returns the node selector that kube-scheduler writes into a ResourceClaim if its devices are on these nodes. */
export const onNode = (...names: readonly string[]): NodeSelector => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: names }] }],
})

/** Returns the traits of a pod that uses ResourceClaims with these names. */
export const claiming = (...names: readonly string[]): PodTraits => ({
  spec: { resourceClaims: names.map((name) => ({ name, resourceClaimName: name })) },
})

interface DeviceTypeTraits extends TypeTraits {
  readonly driver?: string
  readonly deviceCounters?: readonly CounterSet[]
  readonly bindings?: readonly AttributeBinding[]
}

/** Returns an instance type with devices. */
export const deviceType = (
  name: string,
  listed: readonly Device[],
  { driver = DRIVER, deviceCounters, bindings, ...traits }: DeviceTypeTraits = {},
): InstanceType => ({
  ...type(name, traits),
  dynamicResources: {
    resourceSliceTemplates: [
      {
        driver,
        pool: { name: 'node' },
        devices: listed,
        ...(deviceCounters === undefined ? {} : { sharedCounters: deviceCounters }),
      },
    ],
    ...(bindings === undefined ? {} : { attributeBindings: bindings }),
  },
})

/** Returns a binding: on a launched node, these devices will all have the same value of an attribute. */
export const bound = (attribute: string, ...names: readonly string[]): AttributeBinding => ({
  attribute,
  devices: names.map((name) => ({ driver: DRIVER, pool: 'node', device: name })),
})
