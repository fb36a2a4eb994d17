import { formatResources, type Node } from '@kerf/apis'
import { offeringAllocatable } from '@kerf/provider-contract'
import { condition, node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { type Machine, readMachine } from '../objects/machine.ts'
import { readMachineSet } from '../objects/machine-set.ts'
import type { MachineOnWire, MachineSetOnWire } from '../objects/wire.ts'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { sample } from '../testing/samples.ts'
import { launchChoices } from './launch-sources.ts'
import { deploymentNodes, type MachineFacts, machineFacts } from './machine-facts.ts'
import { observedMachine } from './observed-machine.ts'
import { readTemplateDescription } from './template-description.ts'
import { machineTypes } from './types-of.ts'

const SIZE = { cpu: '2', memory: '4Gi' }
const deploymentWith = (short: Readonly<Record<string, string>>) => annotatedDeployment(capacityAnnotations(short))
const offered = (short: Readonly<Record<string, string>>, facts: MachineFacts) => {
  const merged = machineTypes([{ deployment: deploymentWith(short), mayLaunch: true, mayDrift: true }], () => facts)
  const [type] = merged.types
  const requirement = (key: string) => type?.requirements.find((each) => each.key === key)?.values?.join()
  return {
    merged,
    capacity: formatResources(type?.capacity ?? {}),
    allocatable: formatResources(type === undefined ? {} : offeringAllocatable(type)),
    available: type?.offerings.some(({ available }) => available),
    arch: requirement('kubernetes.io/arch'),
    os: requirement('kubernetes.io/os'),
    problems: merged.problems.map(({ reason, consequence, found }) => [reason, consequence, found]),
  }
}
type Status = NonNullable<Node['status']>
const nodeWith = (status: Partial<Status>, zone?: string): Node =>
  node('n', {
    labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone },
    status: { conditions: [condition('Ready', 'True')], ...status },
  })
const REAL = {
  capacity: { cpu: '2', memory: '3900Mi', 'ephemeral-storage': '40Gi', pods: '60' },
  allocatable: { cpu: '1900m', memory: '3500Mi', 'ephemeral-storage': '36Gi', pods: '60' },
  nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
}
const seen = (...nodes: readonly Node[]): MachineFacts => machineFacts(observedMachine(nodes), undefined)
const described = (status: object): MachineFacts =>
  machineFacts(undefined, {
    kind: 'described',
    description: readTemplateDescription({ apiVersion: 'v1', kind: 'T', metadata: { name: 't' }, status }),
  })

describe('capacity from Nodes (providers/cluster-api/docs/spec/cluster-api.md#capacity-from-nodes)', () => {
  test('pods are planned with a real Node’s allocatable amounts, and with no more than the annotations', () => {
    const { capacity, allocatable, problems } = offered(SIZE, seen(nodeWith(REAL)))
    expect(capacity).toEqual({ cpu: '2', memory: '3900Mi', 'ephemeral-storage': '40Gi', pods: '60' })
    expect(allocatable).toEqual({ cpu: '1900m', memory: '3500Mi', 'ephemeral-storage': '36Gi', pods: '60' })
    expect(problems).toEqual([])
    expect(offered({ cpu: '1', memory: '1Gi', maxPods: '10' }, seen(nodeWith(REAL))).allocatable).toMatchObject({
      cpu: '1',
      memory: '1Gi',
      pods: '10',
    })
  })

  test('of several Nodes the smallest amount counts', () => {
    const small = { ...REAL, allocatable: { ...REAL.allocatable, memory: '3400Mi' } }
    expect(offered(SIZE, seen(nodeWith(REAL), nodeWith(small))).allocatable['memory']).toBe('3400Mi')
  })

  test.each([
    ['a Node that is not ready', { ...REAL, conditions: [condition('Ready', 'False')] }],
    ['a Node that says nothing', {}],
  ])('%s shows nothing', (_, status) => {
    expect(offered(SIZE, seen(nodeWith(status))).allocatable).toEqual({ cpu: '2', memory: '4Gi', pods: '110' })
  })

  test('a resource that a Node does not report yet does not count as missing', () => {
    const starting = { ...REAL, allocatable: { ...REAL.allocatable, 'ephemeral-storage': '0' } }
    expect(offered({ ...SIZE, 'ephemeral-disk': '30Gi' }, seen(nodeWith(starting))).allocatable).toMatchObject({
      'ephemeral-storage': '30Gi',
    })
  })

  test('a deployment without annotations has the size of its Nodes, as in cluster autoscaler', () => {
    const { allocatable, available, problems } = offered({}, seen(nodeWith(REAL)))
    expect(allocatable).toEqual({ cpu: '1900m', memory: '3500Mi', 'ephemeral-storage': '36Gi', pods: '60' })
    expect([available, problems]).toEqual([true, []])
  })

  test('with an unreadable annotation the type stays while there are Nodes, but nothing is launched', () => {
    const { capacity, available, problems } = offered({ cpu: 'many', memory: '4Gi' }, seen(nodeWith(REAL)))
    expect(capacity).toMatchObject({ cpu: '2', memory: '3900Mi' })
    expect(available).toBe(false)
    expect(problems).toEqual([['CapacityUnreadable', 'no-launch', 'many']])
    expect(offered({ cpu: 'many', memory: '4Gi' }, {}).capacity).toEqual({})
  })

  test('a Node in an undeclared zone is reported, because the next machine may be in another zone', () => {
    const { problems, merged } = offered(SIZE, seen(nodeWith(REAL, 'rack-1')))
    expect(problems).toEqual([['ZoneUndeclared', 'left-out', undefined]])
    expect(merged.problems[0]?.remedy).toContain('topology.kubernetes.io/zone=rack-1')
    expect(launchChoices(merged, [], {})[0]?.source.zone).toBeUndefined()
    expect(offered(SIZE, seen(nodeWith(REAL, 'rack-1'), nodeWith(REAL, 'rack-2'))).problems).toEqual([])
    const labels = 'topology.kubernetes.io/zone=rack-1'
    expect(offered({ ...SIZE, labels }, seen(nodeWith(REAL, 'rack-1'))).problems).toEqual([])
  })

  test('deployments of one type whose Nodes differ slightly do not conflict', () => {
    const [a, b] = ['a', 'b'].map((name) => ({
      deployment: { ...deploymentWith({ ...SIZE, labels: 'node.kubernetes.io/instance-type=small' }), name },
      mayLaunch: true,
      mayDrift: true,
    }))
    if (a === undefined || b === undefined) throw new Error('two are made')
    const less = { ...REAL, capacity: { ...REAL.capacity, memory: '3899Mi' } }
    const merged = machineTypes([a, b], ({ name }) => seen(nodeWith(name === 'a' ? REAL : less)))
    expect(merged.problems).toEqual([])
    expect(formatResources(merged.types[0]?.capacity ?? {})['memory']).toBe('3899Mi')
  })
})

describe('capacity from the machine template (providers/cluster-api/docs/spec/cluster-api.md#capacity-from-the-machine-template)', () => {
  const status = {
    capacity: { cpu: '8', memory: '32Gi', 'nvidia.com/gpu': '2', pods: 'many', 'ephemeral-storage': '-1' },
    nodeInfo: { architecture: 'arm64', operatingSystem: 'linux' },
  }

  test('replaces missing annotations, and invalid amounts are left out', () => {
    const { capacity, arch, problems } = offered({ memory: '16Gi' }, described(status))
    expect(capacity).toEqual({ cpu: '8', memory: '16Gi', 'nvidia.com/gpu': '2', pods: '110' })
    expect([arch, problems]).toEqual(['arm64', []])
  })

  test('gives nothing without a status', () => {
    expect(offered({}, described({})).problems.map(([reason]) => reason)).toEqual([
      'CapacityMissing',
      'CapacityMissing',
    ])
  })
})

describe('architecture and operating system (providers/cluster-api/docs/spec/cluster-api.md#architecture-and-operating-system)', () => {
  const ARM = 'kubernetes.io/arch=arm64,kubernetes.io/os=windows'

  test('default to amd64 and linux, which are not written on Nodes', () => {
    const { arch, os, merged } = offered(SIZE, {})
    expect([arch, os]).toEqual(['amd64', 'linux'])
    const [choice] = launchChoices(merged, [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }], {})
    expect(choice?.source.labels['kubernetes.io/arch']).toBeUndefined()
    expect(choice?.source.labels['kubernetes.io/os']).toBeUndefined()
  })

  test('come from the annotation, then from the template', () => {
    const facts = described({ nodeInfo: { architecture: 's390x', operatingSystem: 'linux' } })
    const { arch, os, merged } = offered({ ...SIZE, labels: ARM }, facts)
    expect([arch, os]).toEqual(['arm64', 'windows'])
    expect(launchChoices(merged, [], {})[0]?.source.labels['kubernetes.io/arch']).toBe('arm64')
  })

  test('come from Nodes, and a different label is a problem', () => {
    const { arch, os, problems } = offered({ ...SIZE, labels: ARM }, seen(nodeWith(REAL)))
    expect([arch, os]).toEqual(['amd64', 'linux'])
    expect(problems).toEqual([
      ['LabelContradicted', 'corrected', 'kubernetes.io/arch=arm64'],
      ['LabelContradicted', 'corrected', 'kubernetes.io/os=windows'],
    ])
  })
})

describe('which Nodes predict the next machine', () => {
  const real = readMachine(sample<MachineOnWire>('v1beta2', 'machine'))
  const sets = [readMachineSet(sample<MachineSetOnWire>('v1beta2', 'machine-set'))]
  const itsNode = node(real.nodeName ?? '', { providerID: real.providerId })
  const found = (machine: Machine, of: Node | undefined = itsNode) =>
    deploymentNodes(deploymentWith(SIZE), { machinesOf: () => [machine], machineSetsOf: () => sets }, (name) =>
      name === itsNode.metadata.name ? of : undefined,
    ).length

  test('Nodes of Machines that match the template', () => {
    expect(found(real)).toBe(1)
    expect(found(readMachine(sample<MachineOnWire>('v1beta2', 'machine-not-up-to-date')))).toBe(0)
    expect(found({ ...real, upToDate: { type: 'UpToDate', status: 'False', reason: 'NotUpToDate' } })).toBe(0)
    expect(found({ ...real, isDeleting: true })).toBe(0)
    expect(found({ ...real, nodeName: undefined })).toBe(0)
  })

  test('not a Node that replaced another one with the same name', () => {
    expect(found(real, { ...itsNode, spec: { ...itsNode.spec, providerID: 'in-memory://other' } })).toBe(0)
  })
})
