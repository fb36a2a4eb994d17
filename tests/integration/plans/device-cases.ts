import type { Device, DeviceConstraint, DeviceRequest, ResourceSlice } from '@kerf/apis'
import { counterSet, DRIVER, device, devices, firstAvailableRequest, request, slice } from '../facts/devices.ts'

/** The label that identifies the node of a case. */
export const CASE = 'example.com/case'

/** The claims of one pod. */
export interface CaseClaim {
  readonly requests: readonly DeviceRequest[]
  readonly constraints?: readonly DeviceConstraint[]
  /** The number of pods that share the ResourceClaim. The default is 1. */
  readonly pods?: number
}

/** A node with devices, and pods that can run only there. */
export interface DeviceCase {
  readonly name: string
  readonly slices: (node: string) => readonly ResourceSlice[]
  readonly claims: readonly CaseClaim[]
  /** How many of the pods Kerf places. kube-scheduler must bind the same number. */
  readonly placed: number
}

const on =
  (...listed: readonly Device[]) =>
  (node: string) => [slice(listed, { node })]
const wants = (...requests: readonly DeviceRequest[]): CaseClaim => ({ requests })
const where = (expression: string) => wants(request('r', { where: [expression] }))
const root = `${DRIVER}/root`
const rooted = (...roots: readonly (string | undefined)[]) =>
  roots.map((value, index) => device(`gpu-${index}`, value === undefined ? {} : { is: { root: value } }))
const tied = (...requests: readonly DeviceRequest[]): CaseClaim => ({
  requests,
  constraints: [{ matchAttribute: root }],
})
const shared = (memory: Parameters<typeof device>[1] = {}) => device('gpu-0', { shared: true, ...memory })
const memory = (amount: string, count = 1) => request('r', { count, capacity: { memory: amount } })
const policed = (requestPolicy: object) => shared({ capacity: { memory: { value: '10Gi', requestPolicy } } })
const counted =
  (name: string, listed: readonly Device[], totals: Readonly<Record<string, string>>) => (node: string) => [
    slice([], { node, of: 2, name: `${name}-counters`, counters: [counterSet('board', totals)] }),
    slice(listed, { node, of: 2, name: `${name}-devices` }),
  ]
const kinds = (...names: readonly string[]) => names.map((kind, index) => device(`gpu-${index}`, { is: { kind } }))
const ofKind = (kind: string) => [`device.attributes["${DRIVER}"].kind == "${kind}"`]

/** The cases that both the engine and kube-scheduler decide. */
export const deviceCases: readonly DeviceCase[] = [
  {
    name: 'count',
    slices: on(...devices(3)),
    claims: [wants(request('r', { count: 2 })), wants(request('r', { count: 2 }))],
    placed: 1,
  },
  {
    name: 'two-requests',
    slices: on(...devices(3)),
    claims: [wants(request('r', { count: 2 }), request('s'))],
    placed: 1,
  },
  { name: 'shared-claim', slices: on(...devices(1)), claims: [{ ...wants(request('r')), pods: 3 }], placed: 3 },
  {
    name: 'all',
    slices: on(...devices(2)),
    claims: [wants(request('r', { allocationMode: 'All' })), wants(request('r', { allocationMode: 'All' }))],
    placed: 1,
  },
  {
    name: 'all-of-none',
    slices: on(...kinds('a')),
    claims: [wants(request('r', { allocationMode: 'All', where: ofKind('b') }))],
    placed: 0,
  },
  {
    name: 'all-and-one',
    slices: on(...kinds('a', 'a', 'b')),
    claims: [wants(request('r', { allocationMode: 'All', where: ofKind('a') }), request('s'))],
    placed: 1,
  },
  { name: 'tied', slices: on(...rooted('a', 'b', 'b')), claims: [tied(request('r', { count: 2 }))], placed: 1 },
  { name: 'tied-in-vain', slices: on(...rooted('a', 'b', 'c')), claims: [tied(request('r', { count: 2 }))], placed: 0 },
  { name: 'tied-across', slices: on(...rooted('a', 'b', 'b')), claims: [tied(request('r'), request('s'))], placed: 1 },
  { name: 'tied-unknown', slices: on(...rooted(undefined)), claims: [tied(request('r'))], placed: 0 },
  {
    name: 'tied-typed',
    slices: on(device('gpu-0', { attributes: { root: { int: 1 } } }), device('gpu-1', { is: { root: '1' } })),
    claims: [tied(request('r', { count: 2 }))],
    placed: 0,
  },
  {
    name: 'first-of',
    slices: on(...kinds('small', 'small')),
    claims: [
      wants(
        firstAvailableRequest(
          'r',
          { name: 'large', where: ofKind('large') },
          { name: 'small', where: ofKind('small'), count: 2 },
        ),
      ),
    ],
    placed: 1,
  },
  {
    name: 'first-of-none',
    slices: on(...kinds('small')),
    claims: [
      wants(
        firstAvailableRequest(
          'r',
          { name: 'large', where: ofKind('large') },
          { name: 'small', where: ofKind('small'), count: 2 },
        ),
      ),
    ],
    placed: 0,
  },
  {
    name: 'first-given-up',
    slices: on(...kinds('large', 'small')),
    claims: [
      wants(
        firstAvailableRequest(
          'r',
          { name: 'large', where: ofKind('large') },
          { name: 'small', where: ofKind('small') },
        ),
        request('s', { where: ofKind('large') }),
      ),
    ],
    placed: 1,
  },
  {
    name: 'counters',
    slices: counted('counters', devices(4, { uses: { board: { slices: '1' } } }), { slices: '2' }),
    claims: [1, 2, 3].map(() => wants(request('r'))),
    placed: 2,
  },
  {
    name: 'counters-two-dimensions',
    slices: counted('counters-two-dimensions', devices(3, { uses: { board: { slices: '1', memory: '15Gi' } } }), {
      slices: '3',
      memory: '40Gi',
    }),
    claims: [1, 2, 3].map(() => wants(request('r'))),
    placed: 2,
  },
  {
    name: 'counters-too-large',
    slices: counted('counters-too-large', devices(1, { uses: { board: { slices: '3' } } }), { slices: '2' }),
    claims: [wants(request('r'))],
    placed: 0,
  },
  {
    name: 'parts',
    slices: on(shared({ capacity: { memory: '10Gi' } })),
    claims: [1, 2, 3].map(() => wants(memory('5Gi'))),
    placed: 2,
  },
  {
    name: 'parts-twice',
    slices: on(shared({ capacity: { memory: '10Gi' } })),
    claims: [wants(memory('5Gi', 2))],
    placed: 0,
  },
  {
    name: 'parts-of-two-requests',
    slices: on(shared({ capacity: { memory: '10Gi' } })),
    claims: [wants(memory('5Gi'), { ...memory('5Gi'), name: 's' })],
    placed: 1,
  },
  {
    name: 'parts-of-two-devices',
    slices: on(shared({ capacity: { memory: '10Gi' } }), {
      ...shared({ capacity: { memory: '10Gi' } }),
      name: 'gpu-1',
    }),
    claims: [wants(memory('5Gi', 2)), wants(memory('5Gi', 2)), wants(memory('5Gi', 2))],
    placed: 2,
  },
  {
    name: 'parts-too-large',
    slices: on(shared({ capacity: { memory: '10Gi' } })),
    claims: [wants(memory('11Gi'))],
    placed: 0,
  },
  {
    name: 'parts-unsaid',
    slices: on(shared({ capacity: { memory: '10Gi' } })),
    claims: [1, 2].map(() => wants(request('r'))),
    placed: 1,
  },
  {
    name: 'parts-default',
    slices: on(policed({ default: '4Gi', validValues: ['4Gi', '8Gi'] })),
    claims: [1, 2, 3].map(() => wants(request('r'))),
    placed: 2,
  },
  {
    name: 'parts-valid-values',
    slices: on(policed({ default: '5Gi', validValues: ['2Gi', '5Gi'] })),
    claims: [1, 2, 3].map(() => wants(memory('3Gi'))),
    placed: 2,
  },
  {
    name: 'parts-invalid',
    slices: on(policed({ default: '5Gi', validValues: ['2Gi', '5Gi'] })),
    claims: [wants(memory('6Gi'))],
    placed: 0,
  },
  {
    name: 'parts-steps',
    slices: on(policed({ default: '1Gi', validRange: { min: '1Gi', step: '4Gi', max: '9Gi' } })),
    claims: [1, 2, 3].map(() => wants(memory('2Gi'))),
    placed: 2,
  },
  {
    name: 'parts-minimum',
    slices: on(policed({ default: '5Gi', validRange: { min: '5Gi', max: '10Gi' } })),
    claims: [1, 2, 3].map(() => wants(memory('1Gi'))),
    placed: 2,
  },
  {
    name: 'whole',
    slices: on(device('gpu-0', { capacity: { memory: '10Gi' } })),
    claims: [1, 2].map(() => wants(memory('4Gi'))),
    placed: 1,
  },
  {
    name: 'whole-too-large',
    slices: on(device('gpu-0', { capacity: { memory: '10Gi' } })),
    claims: [wants(memory('11Gi'))],
    placed: 0,
  },
  { name: 'no-such-capacity', slices: on(device('gpu-0')), claims: [wants(memory('1Gi'))], placed: 0 },
  {
    name: 'per-device',
    slices: (node) => [
      slice([device('gpu-0', { more: { nodeName: node } }), device('gpu-1', { more: { nodeName: 'elsewhere' } })], {
        pool: 'per-device',
        more: { perDeviceNodeSelection: true },
      }),
    ],
    claims: [wants(request('r')), wants(request('r'))],
    placed: 1,
  },
  {
    name: 'by-selector',
    slices: () => [
      slice(devices(1), {
        pool: 'by-selector',
        selector: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: CASE, operator: 'In', values: ['by-selector'] }] }],
        },
      }),
      slice(devices(1), {
        pool: 'not-by-selector',
        selector: { nodeSelectorTerms: [{ matchExpressions: [{ key: CASE, operator: 'In', values: ['elsewhere'] }] }] },
      }),
    ],
    claims: [{ ...wants(request('r')), pods: 2 }, wants(request('r'))],
    placed: 2,
  },
  {
    name: 'tainted',
    slices: on(device('gpu-0', { more: { taints: [{ key: 'broken', effect: 'NoSchedule' }] } })),
    claims: [wants(request('r'))],
    placed: 0,
  },
  {
    name: 'tolerated',
    slices: on(device('gpu-0', { more: { taints: [{ key: 'broken', effect: 'NoSchedule' }] } })),
    claims: [wants(request('r', { tolerations: [{ key: 'broken', operator: 'Exists' }] }))],
    placed: 1,
  },
  {
    name: 'quantity',
    slices: on(device('gpu-0', { capacity: { memory: '48Gi' } })),
    claims: [where(`device.capacity["${DRIVER}"].memory.compareTo(quantity("40Gi")) >= 0`)],
    placed: 1,
  },
  {
    name: 'version',
    slices: on(device('gpu-0', { attributes: { firmware: { version: '2.0.1' } } })),
    claims: [where(`device.attributes["${DRIVER}"].firmware.isGreaterThan(semver("1.9.0"))`)],
    placed: 1,
  },
  {
    name: 'other-domain',
    slices: on(device('gpu-0', { attributes: { 'other.example.com/rack': { string: 'r1' } } })),
    claims: [where('device.attributes["other.example.com"].rack == "r1"')],
    placed: 1,
  },
  {
    name: 'no-such-domain',
    slices: on(device('gpu-0')),
    claims: [where('"nowhere.example.com" in device.attributes')],
    placed: 0,
  },
  {
    name: 'has',
    slices: on(device('gpu-0', { is: { model: 'a' } })),
    claims: [where(`has(device.attributes["${DRIVER}"].model) && !has(device.attributes["${DRIVER}"].speed)`)],
    placed: 1,
  },
  {
    name: 'bind',
    slices: on(device('gpu-0', { is: { model: 'a' } })),
    claims: [where(`cel.bind(own, device.attributes["${DRIVER}"], own.model == "a")`)],
    placed: 1,
  },
  {
    name: 'error',
    slices: on(device('gpu-0')),
    claims: [where(`device.attributes["${DRIVER}"].model == "a"`)],
    placed: 0,
  },
  {
    name: 'incomplete',
    slices: (node) => [slice(devices(1), { node, of: 2 })],
    claims: [wants(request('r')), wants(request('r', { allocationMode: 'All' }))],
    placed: 0,
  },
  {
    name: 'generations',
    slices: (node) => [
      slice(devices(2), { node, name: 'generations-1' }),
      slice(devices(1), { node, name: 'generations-2', generation: 2 }),
    ],
    claims: [wants(request('r')), wants(request('r'))],
    placed: 1,
  },
  {
    name: 'twice',
    slices: (node) => [
      slice(devices(1), { node, name: 'twice-1', of: 2 }),
      slice(devices(1), { node, name: 'twice-2', of: 2 }),
    ],
    claims: [wants(request('r'))],
    placed: 0,
  },
  {
    name: 'admin',
    slices: on(...devices(1)),
    claims: [wants(request('r')), wants(request('r', { allocationMode: 'All', adminAccess: true }))],
    placed: 2,
  },
]
