import type { ResourceClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { cluster, eight, plain, plannedTypes, two } from './device-clusters.ts'
import {
  claim,
  claiming,
  claimTemplate,
  DRIVER,
  deviceClass,
  devices,
  deviceType,
  onNode,
  request,
  slice,
  zoneSelector,
} from './devices.ts'
import { type, zone1, zone2 } from './instance-types.ts'
import { key } from './keys.ts'
import { daemon, is, persistentVolume, pod, running, volume, volumeClaim } from './objects.ts'

describe('pods and devices', () => {
  test('Pods with devices: a pod with a claim gets a node with the device, and the NodeClaim names the drivers to wait for', () => {
    const plan = cluster([plain, two, eight], claim('a')).pod('a', claiming('a')).pod('b').plan()
    expect(plan.claimOf('a').instanceTypes).toEqual(['two', 'eight'])
    expect(plan.claimOf('a').annotations['karpenter.sh/requested-dra-drivers']).toBe(DRIVER)
  })

  test('Pods with devices: pods without claims are planned as usual next to pods with claims', () => {
    const plan = cluster([plain, two], claim('a'), claim('missing-class', [request('r', { class: 'none' })]))
      .pods(5, {}, 'plain')
      .pod('a', claiming('a'))
      .pod('b', claiming('missing-class'))
      .plan()
    expect(plan.left).toEqual(['b'])
    expect(plan.claims.flatMap(({ annotations }) => annotations['karpenter.sh/requested-dra-drivers'] ?? [])).toEqual([
      DRIVER,
    ])
  })

  test('Pods with devices: the claim created from a template is found by the name in the pod’s status', () => {
    const templated = (status?: string | null) => ({
      spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }] },
      status: {
        ...pod('x').status,
        ...(status === undefined
          ? {}
          : {
              resourceClaimStatuses: [{ name: 'gpu', ...(status === null ? {} : { resourceClaimName: status }) }],
            }),
      },
    })
    const of = cluster([plain, two], claim('a-gpu-x1'))
    expect(plannedTypes(of.pod('a', templated('a-gpu-x1')))).toEqual(['two'])
    // The pod's status says that no ResourceClaim is needed.
    expect(plannedTypes(of.pod('a', templated(null)))).toEqual(['plain', 'two'])
    // The pod's status does not mention the ResourceClaim yet.
    expect(plannedTypes(of.pod('a', templated()))).toEqual(['plain', 'two'])
    expect(plannedTypes(of.pod('a', templated('a-gpu-gone')))).toContain(
      'ResourceClaim default/a-gpu-gone does not exist',
    )
  })

  test('Pods with devices: if the template is known, its requests count before the claim is created', () => {
    const of = cluster([plain, two]).devices({ resourceClaimTemplates: [claimTemplate('one-gpu', request('gpu'))] })
    const wants = { spec: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }] } }
    const plan = of.pods(5, wants).plan()
    expect([plan.sizes, plan.left, plan.typeOf('pod-0')]).toEqual([[2, 2, 1], [], 'two'])
  })

  test('Pods with devices: pods share a node as long as it has a device for each, and then a second node is launched', () => {
    const of = cluster([two], claim('a'), claim('b'), claim('c'))
    expect(of.pod('a', claiming('a')).pod('b', claiming('b')).pod('c', claiming('c')).plan().groups).toEqual([
      ['a', 'b'],
      ['c'],
    ])
  })

  test('Pods with devices: pods that use the same claim share its devices on one node; pods that do not fit there stay pending', () => {
    const shared = { ...claiming('a'), cpu: '1' }
    const of = cluster([deviceType('m', devices(1), { cpu: '4' })], claim('a'))
    expect(of.pods(3, shared).plan().groups).toEqual([['pod-0', 'pod-1', 'pod-2']])
    const crowded = of.pods(4, shared).plan()
    expect([crowded.sizes, crowded.left.length]).toEqual([[3], 1])
  })

  test('Pods with devices: if there are several drivers, all are named, in order', () => {
    const both: InstanceType = {
      ...two,
      name: 'both',
      requirements: deviceType('both', []).requirements,
      dynamicResources: {
        resourceSliceTemplates: [
          { driver: 'nic.example.com', pool: { name: 'nics' }, devices: devices(1, {}, 'nic') },
          { driver: DRIVER, pool: { name: 'gpus' }, devices: devices(1) },
        ],
      },
    }
    const nic = deviceClass('nic', 'device.driver == "nic.example.com"')
    const plan = cluster([two, both], claim('a', [request('n', { class: 'nic' }), request('g')]))
      .devices({ deviceClasses: [nic] })
      .pod('a', claiming('a'))
      .plan()
    expect(plan.claim.instanceTypes).toEqual(['both'])
    expect(plan.claim.annotations['karpenter.sh/requested-dra-drivers']).toBe(`${DRIVER},nic.example.com`)
  })

  test('Pods with devices: the NodeClaim waits only for drivers that all its instance types have', () => {
    const amd = deviceType('amd', devices(1), { driver: 'amd.example.com' })
    const any = deviceClass('any')
    const plan = cluster([deviceType('m', devices(1)), amd], claim('a', [request('r', { class: 'any' })]))
      .devices({ deviceClasses: [any] })
      .pod('a', claiming('a'))
      .plan()
    expect([...plan.claim.instanceTypes].sort()).toEqual(['amd', 'm'])
    expect(plan.claim.annotations['karpenter.sh/requested-dra-drivers']).toBeUndefined()
  })

  test('Pods with devices: no device is allocated twice from one decision to the next', () => {
    const of = cluster([two], claim('a'), claim('b'), claim('c')).pod('a', claiming('a')).pod('b', claiming('b'))
    const plan = of.plan()
    expect(plan.groups).toEqual([['a', 'b']])
    const [launched] = plan.claims
    if (launched === undefined) throw new Error('no claim')
    // The NodeClaim of the first plan is launching, and all three pods are still pending. Its two devices are enough for two of them.
    const later = of
      .node('m-0', {
        pool: 'default',
        instanceType: 'two',
        state: { initialized: false, hasNode: false, nodeClaim: 'm-0', name: 'm-0' },
      })
      .pod('c', claiming('c'))
      .plan()
    expect([later.podsOn('m-0').length, later.sizes]).toEqual([2, [1]])
  })

  test('Pods with devices: an allocated claim keeps its devices, and its pod is placed where they are accessible', () => {
    const held = claim('a', [request('gpu')], { holds: [`${DRIVER}/n/gpu-0`], at: onNode('n') })
    const of = cluster([two], held, claim('b'))
      .node('m')
      .node('n')
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' }), slice(devices(1), { node: 'm' })] })
    expect(of.pod('a', claiming('a')).plan().placeOf('a')).toBe('n')
    expect(of.pod('b', claiming('b')).plan().placeOf('b')).toBe('m')
    const gone = cluster([two], held).pod('a', claiming('a')).plan()
    expect(gone.whyNot('a')).toContain(
      'no device for ResourceClaim default/a is available: its allocated devices are elsewhere',
    )
  })

  test('Pods with devices: a missing claim delays its pod until it exists, and no other pod', () => {
    const of = cluster([two], claim('b')).pod('a', claiming('a')).pod('b', claiming('b'))
    const plan = of.plan()
    expect([plan.left, plan.whyNot('a')]).toEqual([
      ['a'],
      'the pod cannot be planned: its ResourceClaim default/a does not exist',
    ])
    expect(of.devices({ resourceClaims: [claim('a')] }).plan().left).toEqual([])
  })

  test('Pods with devices: no machine has the device, or the class does not exist', () => {
    expect(plannedTypes(cluster([plain], claim('a')).pod('a', claiming('a')))).toBe(
      'nodepool/default: no device for gpu of ResourceClaim default/a is available: 1 device of class gpu wanted, none matches',
    )
    expect(plannedTypes(cluster([two], claim('a', [request('r', { class: 'none' })])).pod('a', claiming('a')))).toBe(
      'the pod cannot be planned: its ResourceClaim default/a: request r: DeviceClass none does not exist',
    )
  })

  test('Pods with devices: a claim with devices in one zone restricts the node to that zone; two claims in different zones make the pod unschedulable', () => {
    const inZone = (name: string, zone: string) =>
      claim(name, [request('gpu')], { holds: [`${DRIVER}/${name}/gpu-0`], at: zoneSelector([zone]) })
    const of = cluster([plain], inZone('a', zone2), inZone('b', zone1), claim('c'), claim('d')).devices({
      resourceSlices: [slice(devices(2), { pool: 'west', zones: [[zone2]] })],
    })
    expect(of.pod('a', claiming('a')).plan().zoneOf('a')).toBe(zone2)
    expect(of.pod('a', claiming('a', 'b')).plan().left).toEqual(['a'])
    expect(of.pod('c', claiming('c')).plan().zoneOf('c')).toBe(zone2)
    expect(of.pod('c', claiming('c', 'd')).plan().zoneOf('c')).toBe(zone2)
    expect(of.pod('c', { ...claiming('c'), selector: { [key.zone]: zone1 } }).plan().left).toEqual(['c'])
  })

  test('Pods with devices: devices of running nodes are used before anything is launched', () => {
    const of = cluster([two], claim('a'), claim('b')).node('m').node('n')
    const plan = of
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pod('a', claiming('a'))
      .pod('b', claiming('b'))
      .plan()
    expect([plan.podsOn('n').length, plan.sizes]).toEqual([1, [1]])
  })

  test('Pods with devices: pods that share a claim are placed where its devices are, including on an existing node', () => {
    const of = cluster([two], claim('a')).node('n', { cpu: '3' })
    const plan = of
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pods(3, { ...claiming('a'), cpu: '1' })
      .plan()
    expect(plan.podsOn('n').length).toBe(3)
  })

  test('Pods with devices: ResourceSlices of unknown or uninitialized nodes do not count', () => {
    const of = cluster([plain], claim('a')).node('n')
    const owned = (owner: string) => slice(devices(1), { owner, zones: [[zone1]], pool: owner })
    expect(
      of
        .devices({ resourceSlices: [owned('n')] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual([])
    expect(
      of
        .devices({ resourceSlices: [owned('gone')] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual(['a'])
    const young = cluster([plain], claim('a')).node('n', { state: { initialized: false } })
    expect(
      young
        .devices({ resourceSlices: [owned('n')] })
        .pod('a', claiming('a'))
        .plan().left,
    ).toEqual(['a'])
  })

  test('Pods with devices: until a node is initialized, the devices that its instance type promises count, and no device is counted twice', () => {
    const young = (...held: readonly ResourceClaim[]) =>
      cluster([two], claim('a'), claim('b'), claim('c'), ...held)
        .node('n', { pool: 'default', instanceType: 'two', state: { initialized: false } })
        .devices({ resourceSlices: [slice(devices(2), { node: 'n' })] })
        .pod('a', claiming('a'))
        .pod('b', claiming('b'))
        .pod('c', claiming('c'))
        .plan()
    expect([young().podsOn('n').length, young().sizes]).toEqual([2, [1]])
    const held = claim('x', [request('gpu')], { holds: [`${DRIVER}/n/gpu-0`], at: onNode('n'), for: ['x'] })
    expect([young(held).podsOn('n').length, young(held).sizes]).toEqual([1, [2]])
  })

  test('Pods with devices: a claim is allocated again if all its pods move; if one pod remains, it keeps its allocation', () => {
    const holds = (...names: readonly string[]) =>
      claim('a', [request('gpu')], { holds: [`${DRIVER}/old/gpu-0`], at: onNode('old'), for: names })
    const moving = running(pod('a', claiming('a')), 'old')
    const living = pod('b', claiming('a'))
    const of = (held: ResourceClaim) =>
      cluster([two], held)
        .node('old', { pods: [moving], state: { markedForDeletion: true } })
        .node('other', { pods: [living] })
        .devices({ resourceSlices: [slice(devices(1), { node: 'old' })] })
        .waiting(moving)
        .plan()
    expect(of(holds('a')).typeOf('a')).toBe('two')
    expect(of(holds('a', 'b')).left).toEqual(['a'])
  })

  test('Pods with devices: if device requests are ignored, only pods with claims are unschedulable', () => {
    const plan = cluster([two], claim('a')).pod('a', claiming('a')).pod('b').plan({ ignoreDraRequests: true })
    expect([plan.left, plan.whyNot('a')]).toEqual([
      ['a'],
      'the pod cannot be planned: it claims devices (dynamic resource allocation), which are ignored',
    ])
  })

  test('Pods with devices: if claims are not ignored, daemons with claims reserve capacity too', () => {
    const big = daemon('d', { cpu: '3', ...claiming('a') })
    const of = cluster([type('m', { cpu: '4' })], claim('a'))
      .daemons(big)
      .pod('p', { cpu: '2' })
    expect(of.plan().left).toEqual(['p'])
    expect(of.plan({ ignoreDraRequests: true }).left).toEqual([])
  })

  test('Pods with devices: when pods outgrow an instance type, the devices chosen for it are released', () => {
    // Both instance types may use the only network device. The small type is excluded when the second pod joins.
    const small = type('small', { cpu: '2', price: 0.1 })
    const large = type('large', { cpu: '8', price: 1 })
    const network = slice(devices(1), { zones: [[zone1]] })
    const of = cluster([small, large], claim('a'), claim('b')).devices({ resourceSlices: [network] })
    const plan = of
      .pod('a', { ...claiming('a'), cpu: '1' })
      .pod('p', { cpu: '1' })
      .pod('b', { ...claiming('b'), cpu: '1' })
      .plan()
    expect(plan.left).toEqual(['b'])
    expect(plan.claimOf('a').instanceTypes).toEqual(['large'])
  })
})

describe('edge cases with devices', () => {
  test('pods that share a claim follow it to its node, and wait if that node is full', () => {
    const of = cluster([deviceType('m', devices(1), { cpu: '4' })], claim('a')).pods(2, { ...claiming('a'), cpu: '2' })
    const plan = of.plan()
    expect([plan.sizes, plan.left]).toEqual([[1], ['pod-1']])
    expect(plan.whyNot('pod-1')).toContain(
      'no device for ResourceClaim default/a is available: the devices are on another node',
    )
  })

  test('a claim that a running and a terminating pod use stays allocated, and determines where new pods run', () => {
    const held = claim('a', [request('gpu')], {
      holds: [`${DRIVER}/network/gpu-0`],
      at: zoneSelector([zone2]),
      for: ['ending', 'living'],
    })
    const ending = running(pod('ending', { ...claiming('a'), deleted: true }), 'n')
    const plan = cluster([plain], held)
      .node('n', { pods: [ending, running(pod('living', claiming('a')), 'n')], cpu: '0' })
      .pod('a', claiming('a'))
      .plan()
    expect(plan.zoneOf('a')).toBe(zone2)
  })

  test('on an existing node devices are checked for every alternative of a volume', () => {
    const plan = cluster([plain], claim('a'))
      .storage({
        persistentVolumes: [persistentVolume('pv', [[is(key.zone, 'In', zone1)], [is(key.zone, 'In', zone2)]])],
        persistentVolumeClaims: [volumeClaim('data', { volume: 'pv' })],
      })
      .node('n', { zone: zone2 })
      .devices({ resourceSlices: [slice(devices(1), { node: 'n' })] })
      .pod('a', { ...claiming('a'), volumes: [volume('data')] })
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })
})
