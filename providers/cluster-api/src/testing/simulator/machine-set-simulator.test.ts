import { kinds } from '@kerf/apis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clusterApiAnnotations, clusterApiLabels } from '../../names.ts'
import { CLUSTER_API_VERSIONS } from '../../objects/api-version.ts'
import { readMachine } from '../../objects/machine.ts'
import { readMachineDeployment } from '../../objects/machine-deployment.ts'
import { readMachineSet } from '../../objects/machine-set.ts'
import type { MachineOnWire } from '../../objects/wire.ts'
import { defineDeletionTable } from '../deletion-table.ts'
import { sample } from '../samples.ts'
import { type SimulatedHarness, startSimulatedHarness } from '../simulated-harness.ts'
import { clusterObject, healthCheckObject, NAMESPACE, newTemplate } from './management-objects.ts'

let harness: SimulatedHarness
afterEach(() => {
  expect(harness.log.lines.filter(({ level }) => level === 'warn')).toEqual([])
  harness.stop()
})

const machines = async () =>
  (await harness.client.list(harness.simulator.kinds.Machine)).items
    .map((item) => readMachine(item))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
const scale = (name: string, replicas: number) =>
  harness.client.patch(
    harness.simulator.kinds.MachineDeployment,
    { namespace: NAMESPACE, name },
    { type: 'merge', body: { spec: { replicas } } },
  )

describe('the deletion table with simulated controllers', () => {
  beforeEach(async () => {
    harness = await startSimulatedHarness()
  })

  defineDeletionTable('which Machine goes', () => ({
    client: harness.client,
    kinds: harness.simulator.kinds,
    namespace: NAMESPACE,
    addDeployment: async (name, replicas) => {
      await harness.simulator.addDeployment(name, { replicas })
    },
    newRevision: async (name) => {
      const body = newTemplate(harness.simulator.kinds, `${name}-2`)
      await harness.client.patch(
        harness.simulator.kinds.MachineDeployment,
        { namespace: NAMESPACE, name },
        { type: 'merge', body },
      )
    },
    until: async (what, isSo) => {
      for (let second = 0; second < 120; second++) {
        if (await isSo()) return
        await harness.clock.advance(1_000)
      }
      throw new Error(`waited in vain for: ${what}`)
    },
    pass: () => harness.clock.advance(5_000),
  }))
})

describe.each(CLUSTER_API_VERSIONS)('simulated controllers in %s', (version) => {
  beforeEach(async () => {
    harness = await startSimulatedHarness({ version })
  })

  test('a Machine has the same form as a real one', async () => {
    await harness.simulator.addDeployment('small', { replicas: 1 })
    await harness.clock.advance(30_000)
    const real = readMachine(sample<MachineOnWire>(version, 'machine'))
    const [played] = await machines()
    expect(played?.name).toMatch(/^small-[a-z0-9]{5}-[a-z0-9]{5}$/)
    expect(Object.keys(played?.labels ?? {})).toEqual(
      expect.arrayContaining(Object.keys(real.labels).filter((key) => !key.startsWith('node.cluster.x-k8s.io/'))),
    )
    expect(played).toMatchObject({ phase: real.phase, isMember: false, deploymentName: 'small' })
    expect(played?.providerId).toBe(`in-memory://${played?.name}`)
    expect(played?.nodeName).toBe(played?.name)
    expect(played?.infrastructure).toMatchObject({ group: real.infrastructure?.group, kind: real.infrastructure?.kind })
    const [wire] = (await harness.client.list(harness.simulator.kinds.Machine)).items
    const owner = sample<MachineOnWire>(version, 'machine').metadata.ownerReferences?.[0]
    expect(wire?.metadata.ownerReferences).toEqual([
      // Real owner references contain v1beta2 in both versions, as the server stores them. Here only one version is served.
      { ...owner, apiVersion: `cluster.x-k8s.io/${version}`, name: played?.setName, uid: expect.any(String) },
    ])
    const says = ({ conditions }: typeof real, type: string) => {
      const found = conditions.find((condition) => condition.type === type)
      return [found?.status, found?.reason]
    }
    for (const type of ['UpToDate', 'NodeHealthy', 'InfrastructureReady']) {
      if (played !== undefined) expect(says(played, type)).toEqual(says(real, type))
    }
  })

  test('phase, providerID and Node follow one after another', async () => {
    await harness.simulator.addDeployment('a', { replicas: 1, templateLabels: { 'node.cluster.x-k8s.io/tier': 'web' } })
    const seen: string[] = []
    for (let step = 0; step < 60; step++) {
      const [machine] = await machines()
      const line = `${machine?.phase} ${machine?.providerId !== undefined} ${machine?.nodeName !== undefined}`
      if (machine !== undefined && seen.at(-1) !== line) seen.push(line)
      await harness.clock.advance(500)
    }
    expect(seen).toEqual([
      'undefined false false',
      'Pending false false',
      'Provisioning false false',
      'Provisioned true false',
      'Running true true',
    ])
    const [node] = (await harness.client.list(kinds.Node)).items
    expect(node?.metadata.labels?.['node.cluster.x-k8s.io/tier']).toBe('web')
    expect(node?.metadata.annotations?.['cluster.x-k8s.io/machine']).toBe(node?.metadata.name)
    // The not-ready taint comes from the API server, as for every new Node.
    expect(node?.spec.taints?.map(({ key }) => key)).toEqual([
      'karpenter.sh/unregistered',
      'node.kubernetes.io/not-ready',
    ])
  })

  test('under RollingUpdate a new template replaces every Machine', async () => {
    await harness.simulator.addDeployment('a', { replicas: 2, strategy: 'RollingUpdate' })
    await harness.clock.advance(30_000)
    const before = await machines()
    const body = newTemplate(harness.simulator.kinds, 'other')
    await harness.client.patch(
      harness.simulator.kinds.MachineDeployment,
      { namespace: NAMESPACE, name: 'a' },
      { type: 'merge', body },
    )
    let most = 0
    for (let step = 0; step < 120; step++) {
      await harness.clock.advance(1_000)
      most = Math.max(most, (await machines()).filter(({ isDeleting }) => !isDeleting).length)
    }
    const after = await machines()
    expect(most).toBe(3)
    expect(after).toHaveLength(2)
    expect(before.map(({ name }) => name).filter((name) => after.some((each) => each.name === name))).toEqual([])
    const sets = (await harness.client.list(harness.simulator.kinds.MachineSet)).items.map((item) =>
      readMachineSet(item),
    )
    expect(sets.map(({ revision, replicas }) => [revision, replicas])).toEqual([[2, 2]])
  })

  test('under OnDelete a new template only marks Machines as not up to date', async () => {
    await harness.simulator.addDeployment('a', { replicas: 2 })
    await harness.clock.advance(30_000)
    const before = await machines()
    const body = newTemplate(harness.simulator.kinds, 'other')
    await harness.client.patch(
      harness.simulator.kinds.MachineDeployment,
      { namespace: NAMESPACE, name: 'a' },
      { type: 'merge', body },
    )
    await harness.clock.advance(60_000)
    const after = await machines()
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    expect(after.map(({ upToDate }) => [upToDate?.status, upToDate?.message])).toEqual([
      ['False', '* DevMachine is not up-to-date'],
      ['False', '* DevMachine is not up-to-date'],
    ])
  })

  test('a health check replaces a Machine whose Node is not ready, and no NodeClaim holds the new one', async () => {
    await harness.simulator.addDeployment('a', { replicas: 2 })
    await harness.client.create(
      harness.simulator.kinds.MachineHealthCheck,
      healthCheckObject(harness.simulator.kinds, 'a'),
    )
    await harness.clock.advance(30_000)
    const [sick, well] = await machines()
    const ready = {
      type: 'Ready',
      status: 'False',
      reason: 'KubeletNotReady',
      lastTransitionTime: '2026-01-01T00:00:30Z',
    }
    const member = { metadata: { labels: { [clusterApiLabels.member]: '' } } }
    const ref = { namespace: NAMESPACE, name: sick?.name ?? '' }
    await harness.client.patch(harness.simulator.kinds.Machine, ref, { type: 'merge', body: member })
    await harness.client.patch(
      kinds.Node,
      { name: ref.name },
      { type: 'merge', body: { status: { conditions: [ready] } } },
      { subresource: 'status' },
    )
    await harness.clock.advance(120_000)
    const after = await machines()
    expect(after).toHaveLength(2)
    expect(after.map(({ name }) => name)).toContain(well?.name)
    expect(after.map(({ name }) => name)).not.toContain(sick?.name)
    expect(after.some(({ isMember }) => isMember)).toBe(false)
  })

  test('a paused deployment and a paused cluster are not changed', async () => {
    await harness.simulator.addDeployment('a', { annotations: { [clusterApiAnnotations.paused]: '' } })
    await harness.simulator.addDeployment('b')
    await harness.simulator.addDeployment('c', { cluster: 'other' })
    await harness.client.create(harness.simulator.kinds.Cluster, clusterObject(harness.simulator.kinds, 'other'))
    await harness.clock.advance(5_000)
    const pause = (paused: boolean) =>
      harness.client.patch(
        harness.simulator.kinds.Cluster,
        { namespace: NAMESPACE, name: 'bed' },
        { type: 'merge', body: { spec: { paused } } },
      )
    await pause(true)
    for (const name of ['a', 'b', 'c']) await scale(name, 1)
    await harness.clock.advance(30_000)
    expect((await machines()).map(({ deploymentName }) => deploymentName)).toEqual(['c'])
    await pause(false)
    await harness.clock.advance(30_000)
    expect((await machines()).map(({ deploymentName }) => deploymentName)).toEqual(['b', 'c'])
  })

  test('without capacity a Machine stays in Provisioning until it is deleted', async () => {
    harness.simulator.refused.add('a')
    await harness.simulator.addDeployment('a', { replicas: 1 })
    await harness.clock.advance(600_000)
    expect((await machines()).map(({ phase, providerId }) => [phase, providerId])).toEqual([
      ['Provisioning', undefined],
    ])
    await scale('a', 0)
    await harness.clock.advance(30_000)
    expect(await machines()).toEqual([])
    harness.simulator.refused.clear()
    harness.simulator.neverRegister = 1
    await scale('a', 2)
    await harness.clock.advance(60_000)
    expect((await machines()).map(({ nodeName }) => nodeName !== undefined).toSorted()).toEqual([false, true])
  })

  test('the deletion of a deployment deletes its sets and Machines', async () => {
    await harness.simulator.addDeployment('a', { replicas: 2 })
    await harness.clock.advance(30_000)
    await harness.client.delete(harness.simulator.kinds.MachineDeployment, { namespace: NAMESPACE, name: 'a' })
    await harness.clock.advance(60_000)
    expect(await machines()).toEqual([])
    expect((await harness.client.list(harness.simulator.kinds.MachineSet)).items).toEqual([])
    const left = (await harness.client.list(harness.simulator.kinds.MachineDeployment)).items.map((item) =>
      readMachineDeployment(item),
    )
    expect(left).toEqual([])
    expect((await harness.client.list(kinds.Node)).items).toEqual([])
  })
})
