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

/** Devices in few words: slices, classes, claims, and machines that promise devices. */

export const DRIVER = 'gpu.example.com'

export const deviceClass = (name: string, ...expressions: readonly string[]): DeviceClass => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name },
  spec: { selectors: expressions.map((expression) => ({ cel: { expression } })) },
})

/** Every device of the driver. */
export const GPU = deviceClass('gpu', `device.driver == '${DRIVER}'`)

interface DeviceTraits {
  /** Text attributes. */
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

/** `prefix-0`, `prefix-1`, …, all alike. */
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
  /** Slices that the pool says it has. */
  readonly of?: number
  readonly node?: string
  /** Where its devices can be used, alternatives. */
  readonly zones?: readonly (readonly string[])[]
  readonly selector?: NodeSelector
  readonly owner?: string
  readonly counters?: readonly CounterSet[]
  readonly more?: Partial<ResourceSlice['spec']>
}

export const zoneSelector = (...alternatives: readonly (readonly string[])[]): NodeSelector => ({
  nodeSelectorTerms: alternatives.map((values) => ({ matchExpressions: [{ key: key.zone, operator: 'In', values }] })),
})

/** A slice of the driver: on `node`, in `zones`, or for all nodes. A node's slice is owned by it and its pool is named after it. */
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
      // The API takes either devices or counters in one slice.
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

/** A request for exactly this; of class `gpu` unless it says otherwise. */
export const request = (name: string, asked: Asked = {}): DeviceRequest => ({ name, exactly: subRequest(asked) })

/** A request for the first of several that can be had. */
export const firstOf = (name: string, ...ways: readonly (Asked & { readonly name: string })[]): DeviceRequest => ({
  name,
  firstAvailable: ways.map((way) => ({ ...subRequest(way), name: way.name })),
})

interface ClaimTraits {
  readonly namespace?: string
  readonly constraints?: readonly DeviceConstraint[]
  /** `driver/pool/device` of each device it holds. */
  readonly holds?: readonly string[]
  /** Where those can be used. */
  readonly at?: NodeSelector
  /** Names of the pods it is kept for. */
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

/** A claim; for one device unless it says otherwise. */
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

/** Where kube-scheduler says that the devices of one node can be used. */
export const onNode = (...names: readonly string[]): NodeSelector => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: names }] }],
})

/** A pod with claims of these names. */
export const claiming = (...names: readonly string[]): PodTraits => ({
  spec: { resourceClaims: names.map((name) => ({ name, resourceClaimName: name })) },
})

interface DeviceTypeTraits extends TypeTraits {
  readonly driver?: string
  readonly deviceCounters?: readonly CounterSet[]
  readonly bindings?: readonly AttributeBinding[]
}

/** A machine that comes with devices. */
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

/** Devices of a machine that will share the value of an attribute. */
export const bound = (attribute: string, ...names: readonly string[]): AttributeBinding => ({
  attribute,
  devices: names.map((name) => ({ driver: DRIVER, pool: 'node', device: name })),
})
