import type { KubeObject } from '@kerf/apis'
import { node } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { clusterApiKinds } from '../objects/kinds.ts'
import { type ManagementHarness, startManagementHarness } from '../testing/management-harness.ts'
import { sample } from '../testing/samples.ts'
import { upstreamRole } from '../testing/upstream-role.ts'
import { describeManagementProblem } from './management-problem.ts'

const kinds = clusterApiKinds('v1beta2')
const MACHINE = 'small-xgbxt-2fcss'
const ours = { namespace: 'default', name: 'small' }
const signal = new AbortController().signal

let harness: ManagementHarness | undefined
afterEach(() => harness?.stop())

/** Starts a management cluster that grants the permissions that `allows` returns. */
const start = async (allows: NonNullable<ManagementHarness['allows']>): Promise<ManagementHarness> => {
  harness = await startManagementHarness({
    objects: ['cluster', 'machine-deployment', 'machine-set', 'machine'].map((name) =>
      sample<KubeObject>('v1beta2', name),
    ),
    nodes: [node(MACHINE, { spec: { providerID: `in-memory://${MACHINE}` } })],
  })
  harness.allows = allows
  await harness.clock.advance(1_000)
  return harness
}

const texts = ({ management }: ManagementHarness): readonly string[] =>
  management.problems().map(describeManagementProblem)

test('with every permission there is no problem, and no further check', async () => {
  const { management, clock, calls } = await start(() => true)
  expect(management.permissions.may('delete', 'machines')).toBe(true)
  expect(management.problems()).toEqual([])
  const from = calls.length
  await clock.advance(600_000)
  expect(calls.slice(from).filter((call) => !call.startsWith('watch'))).toEqual([])
})

test('each missing permission is named with its purpose, and noticed when it is granted', async () => {
  const harness = await start(
    (verb, resource) => `${verb} ${resource}` !== 'delete machines' && resource !== 'clusters',
  )
  expect(texts(harness)).toMatchInlineSnapshot(`
    [
      "Kerf cannot delete machines.cluster.x-k8s.io in the management cluster (the test), which it needs for deleting the Machine that belongs to a NodeClaim; grant delete on machines.cluster.x-k8s.io to the account that Kerf uses there; docs/reference/permissions.md lists all permissions",
      "Kerf cannot list clusters.cluster.x-k8s.io in the management cluster (the test), which it needs for checking whether a Cluster is paused; grant list on clusters.cluster.x-k8s.io to the account that Kerf uses there; docs/reference/permissions.md lists all permissions",
      "Kerf cannot watch clusters.cluster.x-k8s.io in the management cluster (the test), which it needs for checking whether a Cluster is paused; grant watch on clusters.cluster.x-k8s.io to the account that Kerf uses there; docs/reference/permissions.md lists all permissions",
    ]
  `)
  expect(harness.management.machines()).toHaveLength(1)
  expect(() => harness.management.clusters()).toThrow('which Clusters it has')
  harness.allows = () => true
  await harness.clock.advance(61_000)
  expect(texts(harness)).toEqual([])
  // Kerf reads newly allowed resources immediately, so nothing has to wait for them.
  await harness.clock.advance(1_000)
  expect(harness.management.clusters()).toHaveLength(1)
  expect(harness.management.machines()).toHaveLength(1)
  const from = harness.calls.length
  await harness.clock.advance(600_000)
  expect(harness.calls.slice(from).filter((call) => !call.startsWith('watch'))).toEqual([])
})

test('a newly granted permission interrupts the readers for at most a second', async () => {
  const harness = await start((_, resource) => resource !== 'clusters' && resource !== 'machinesets')
  const { management, clock } = harness
  expect(management.machineSetsOf(ours)).toEqual([])
  harness.allows = () => true
  let unknown = 0
  for (let second = 0; second < 90; second += 1) {
    await clock.advance(1_000)
    try {
      management.machineSetsOf(ours)
    } catch {
      unknown += 1
    }
  }
  expect(unknown).toBeLessThanOrEqual(1)
  expect(management.machineSetsOf(ours)).toHaveLength(1)
})

test('with upstream’s role, a patch becomes a read and an update', async () => {
  const harness = await start(upstreamRole)
  expect(
    harness.management.problems().map(({ detail }) => detail.replace(/ in the management.*/, '')),
  ).toMatchInlineSnapshot(`
    [
      "Kerf cannot delete machines.cluster.x-k8s.io",
      "Kerf cannot list machinesets.cluster.x-k8s.io",
      "Kerf cannot watch machinesets.cluster.x-k8s.io",
      "Kerf cannot list clusters.cluster.x-k8s.io",
      "Kerf cannot watch clusters.cluster.x-k8s.io",
    ]
  `)
  const before = await harness.admin.get(kinds.MachineDeployment, ours)
  const body = {
    metadata: { annotations: { 'kerf.sh/replicas-wanted': '5' }, labels: { 'cluster.x-k8s.io/cluster-name': null } },
    spec: { replicas: 5 },
  }
  await harness.management.patch(kinds.MachineDeployment, ours, body, signal)
  const after = await harness.admin.get(kinds.MachineDeployment, ours)
  expect(after.spec).toEqual({ ...before.spec, replicas: 5 })
  expect(after.metadata.annotations).toEqual({ ...before.metadata.annotations, 'kerf.sh/replicas-wanted': '5' })
  expect(after.metadata.labels).toEqual({ 'node.cluster.x-k8s.io/karpenter-member': '' })
  const stale = { metadata: { resourceVersion: before.metadata.resourceVersion }, spec: { replicas: 6 } }
  await expect(harness.management.patch(kinds.MachineDeployment, ours, stale, signal)).rejects.toMatchObject({
    code: 409,
  })
  expect(harness.calls.filter((call) => call.startsWith('patch'))).toEqual([])
  expect(await harness.management.fresh(ours, signal)).toMatchObject({ sets: [], machines: [{ name: MACHINE }] })
})

test('a permission that is revoked while Kerf runs is noticed at the first refusal', async () => {
  const harness = await start(() => true)
  harness.allows = (verb) => verb !== 'patch' && verb !== 'update'
  await expect(
    harness.management.patch(kinds.MachineDeployment, ours, { spec: { replicas: 5 } }, signal),
  ).rejects.toMatchObject({ code: 403 })
  await harness.clock.advance(61_000)
  expect(texts(harness).join('\n')).toContain('Kerf cannot patch machinedeployments.cluster.x-k8s.io')
})

test('a role that changes from update to patch is noticed at the first refusal', async () => {
  const harness = await start((verb) => verb !== 'patch')
  const patch = (): Promise<unknown> =>
    harness.management.patch(kinds.MachineDeployment, ours, { spec: { replicas: 5 } }, signal)
  await patch()
  await harness.clock.advance(120_000)
  harness.allows = (verb) => verb !== 'update'
  await expect(patch()).rejects.toMatchObject({ code: 403 })
  await harness.clock.advance(1_000)
  await expect(patch()).resolves.toBeDefined()
})

test('without support for permission checks, permissions are assumed until a refusal', async () => {
  const harness = await start(() => true)
  harness.allows = undefined
  expect(harness.management.problems()).toEqual([])
})
