import {
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import { legacyCrdManifests, legacyKinds, type Provisioner } from '@kerf/apis/legacy'
import { installLegacyKinds } from '@kerf/controllers'
import { createPool, Harness, readIfThere } from '@kerf/controllers/testing'
import { type AWSNodeTemplate, awsNodeTemplates } from '@kerf/provider-aws/node-class'
import { kwokNodeClassKind, kwokNodeClassResource } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { ApiError, RecordingLogger, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { pod } from '@kerf/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const templates = awsNodeTemplates
const templateKind: ResourceKind<AWSNodeTemplate> = templates.resource.kind

let harness: Harness
beforeEach(async () => {
  // The harness runs the cluster's controllers, because deletion depends on the garbage collector.
  harness = await Harness.create({
    cluster: 'whole',
    settings: { legacyApis: true },
    legacy: { nodeClass: kwokNodeClassResource, templates },
  })
})
afterEach(() => harness.stop())

const provisioner = (name: string, spec: NonNullable<Provisioner['spec']> = {}): Provisioner => ({
  apiVersion: 'karpenter.sh/v1alpha5',
  kind: 'Provisioner',
  metadata: { name },
  spec,
})
const template = (name: string, spec: NonNullable<AWSNodeTemplate['spec']> = {}): AWSNodeTemplate => ({
  apiVersion: 'karpenter.k8s.aws/v1alpha1',
  kind: 'AWSNodeTemplate',
  metadata: { name },
  spec,
})

const putProvisioner = async (name: string, spec?: NonNullable<Provisioner['spec']>): Promise<void> => {
  await harness.put(legacyKinds.Provisioner, provisioner(name, spec))
  await harness.pass(5_000)
}
const change = async (name: string, spec: object): Promise<void> => {
  await harness.admin.patch(legacyKinds.Provisioner, { name }, { type: 'merge', body: { spec } })
  await harness.pass(5_000)
}
const read = (name = 'default'): Promise<Provisioner> => harness.admin.get(legacyKinds.Provisioner, { name })
const pool = (name = 'default'): Promise<NodePool | undefined> =>
  readIfThere(harness.admin, karpenterKinds.NodePool, { name })
const objectCondition = (object: Parameters<typeof findCondition>[0], type: string): string => {
  const { status, reason, message } = findCondition(object, type) ?? {}
  return `${status} ${reason}: ${message}`
}
const classNames = async (): Promise<readonly (string | undefined)[]> =>
  (await harness.admin.list(kwokNodeClassKind)).items.map(({ metadata }) => metadata.name)

describe('a Provisioner', () => {
  test('is converted to a NodePool and its node class, and reports it', async () => {
    await putProvisioner('default', {
      labels: { team: 'a' },
      limits: { resources: { cpu: 100 } },
      ttlSecondsUntilExpired: 3600,
      ttlSecondsAfterEmpty: 30,
      kubeletConfiguration: { containerRuntime: 'dockerd' },
      provider: { subnetSelector: { a: 'b' } },
    })
    const made = await pool()
    expect(made?.spec).toMatchObject({
      template: {
        metadata: { labels: { team: 'a' } },
        spec: { nodeClassRef: { kind: 'KWOKNodeClass', name: 'default' }, expireAfter: '3600s' },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
      limits: { cpu: 100 },
    })
    const { metadata, status } = await read()
    expect(made?.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'karpenter.sh/v1alpha5',
        kind: 'Provisioner',
        name: 'default',
        uid: metadata.uid,
        controller: true,
      },
    ])
    expect(status).toMatchObject({ nodePool: 'default', nodeClass: 'KWOKNodeClass/default' })
    const object = await read()
    expect(objectCondition(object, 'Converted')).toBe(
      'True Converted: KWOKNodeClass/default and NodePool/default kept in sync',
    )
    expect(objectCondition(object, 'NodePoolReady')).toBe('True NodePoolReady: ')
    expect(objectCondition(object, 'Ready')).toMatch(/^True/)
    expect(objectCondition(object, 'FieldsChanged')).toBe('True FieldsChanged: spec.ttlSecondsUntilExpired')
    expect(objectCondition(object, 'FieldsGone')).toBe(
      'True FieldsGone: spec.kubeletConfiguration.containerRuntime, spec.provider.subnetSelector',
    )
    expect(status?.fields).toContainEqual({
      field: 'spec.kubeletConfiguration.containerRuntime',
      fate: 'gone',
      note: 'nodes run containerd only',
    })
  })

  test('launches nodes, whose total its status shows', async () => {
    await putProvisioner('default', {
      requirements: [{ key: labels.instanceType, operator: 'In', values: ['m-4x-amd64-linux'] }],
    })
    await harness.put(kinds.Pod, pod('a'))
    await harness.pass(60_000)
    expect((await harness.claims()).map(({ metadata }) => metadata.labels?.[labels.nodePool])).toEqual(['default'])
    expect((await read()).status?.resources).toMatchObject({ cpu: '4' })
  })

  test('is followed when it changes, and an edit of its converted objects is reverted', async () => {
    await putProvisioner('default', { weight: 3, provider: {} })
    await change('default', { weight: null, ttlSecondsUntilExpired: 60, taints: [{ key: 'a', effect: 'NoSchedule' }] })
    const expected = {
      template: { spec: { expireAfter: '60s', taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    }
    expect((await pool())?.spec).toMatchObject(expected)
    expect((await pool())?.spec).not.toHaveProperty('weight')
    await harness.admin.patch(
      karpenterKinds.NodePool,
      { name: 'default' },
      { type: 'merge', body: { spec: { weight: 99, template: { spec: { expireAfter: 'Never' } } } } },
    )
    await harness.pass(5_000)
    expect((await pool())?.spec).toMatchObject(expected)
    expect((await pool())?.spec).not.toHaveProperty('weight')
  })

  test('is deleted with its NodePool, and a new one with its name gets a new NodePool', async () => {
    await putProvisioner('default', { provider: {} })
    const first = await pool()
    await harness.admin.delete(legacyKinds.Provisioner, { name: 'default' })
    await putProvisioner('default', { provider: {} })
    await harness.pass(30_000)
    const second = await pool()
    expect(second?.metadata.uid).not.toBe(first?.metadata.uid)
    expect(objectCondition(await read(), 'Converted')).toMatch(/^True/)
    await harness.admin.delete(legacyKinds.Provisioner, { name: 'default' })
    await harness.pass(30_000)
    expect(await pool()).toBeUndefined()
    expect(await classNames()).toEqual(['default'])
  })

  test('leaves its NodePool if the deletion orphans it: the migration to v1, without drift', async () => {
    await putProvisioner('default', { providerRef: { name: 'mine' } })
    await harness.put(templateKind, template('mine'))
    await harness.pass(10_000)
    const before = await pool()
    for (const [kind, name] of [
      [legacyKinds.Provisioner, 'default'],
      [templateKind, 'mine'],
    ] as const)
      await harness.admin.delete<KubeObject>(kind, { name }, { propagationPolicy: 'Orphan' })
    await harness.pass(60_000)
    const after = await pool()
    expect(after?.metadata.ownerReferences ?? []).toEqual([])
    expect(after?.spec).toEqual(before?.spec)
    expect(after?.metadata.annotations).toEqual(before?.metadata.annotations)
    expect(await classNames()).toContain('mine')
    expect(await readIfThere(harness.admin, legacyKinds.Provisioner, { name: 'default' })).toBeUndefined()
  })

  test('never changes a NodePool with its name that it does not own', async () => {
    const own = await createPool(harness, 'default', { weight: 7 })
    await putProvisioner('default', { provider: {}, weight: 1 })
    const after = await pool()
    expect([after?.spec, after?.metadata.uid]).toEqual([own.spec, own.metadata.uid])
    expect(objectCondition(await read(), 'Converted')).toBe(
      'False NameTaken: NodePool/default already exists and was not created from this Provisioner, so it is not changed: rename one of the two, or delete the existing one',
    )
    expect(objectCondition(await read(), 'Ready')).toMatch(/^False UnhealthyDependents/)
    expect(harness.messages('NameTaken')).toHaveLength(1)
    expect((await read()).status?.nodePool).toBeUndefined()
  })

  test('a NodePool without its owner reference is not changed, and is created again after it is deleted', async () => {
    await putProvisioner('team', { provider: {} })
    await harness.admin.patch(
      karpenterKinds.NodePool,
      { name: 'team' },
      { type: 'merge', body: { metadata: { ownerReferences: null } } },
    )
    await harness.pass(5_000)
    expect(objectCondition(await read('team'), 'Converted')).toMatch(/^False NameTaken: NodePool\/team already exists/)
    await harness.admin.delete(karpenterKinds.NodePool, { name: 'team' })
    await harness.pass(5_000)
    expect(objectCondition(await read('team'), 'Converted')).toMatch(/^True/)
  })

  test('that v1 rejects keeps its converted objects, and the others are handled', async () => {
    await putProvisioner('default', { providerRef: { name: 'none' } })
    await putProvisioner('good', { provider: {}, weight: 5 })
    await change('good', { labels: { 'karpenter.sh/nodepool': 'x', 'kubernetes.io/hostname': 'y' } })
    expect(objectCondition(await read('good'), 'Converted')).toMatch(
      /^False NotConvertible: NodePool\/good: .*kubernetes\.io\/hostname/,
    )
    expect((await pool('good'))?.spec.weight).toBe(5)
    expect(objectCondition(await read('good'), 'NodePoolReady')).toMatch(/^True/)
    expect(objectCondition(await read(), 'Converted')).toBe(
      'False NodeTemplateNotFound: AWSNodeTemplate/none does not exist: create it, or name another in spec.providerRef',
    )
    expect(harness.messages('NotConvertible')).toHaveLength(1)
    expect(harness.messages('NodeTemplateNotFound')).toHaveLength(1)
    await putProvisioner('later', { provider: {} })
    expect(objectCondition(await read('later'), 'Converted')).toMatch(/^True/)
  })

  test('a refusal of the API server is reported and retried', async () => {
    const forbidden = { code: 403, reason: 'Forbidden', message: 'nodepools.karpenter.sh is forbidden: a policy' }
    harness.fault = ({ verb, kind }, when) =>
      when === 'before' && verb === 'create' && kind?.kind === 'NodePool' ? new ApiError(forbidden) : undefined
    await putProvisioner('team', { provider: {} })
    expect(objectCondition(await read('team'), 'Converted')).toBe(`False Refused: ${forbidden.message}`)
    harness.fault = undefined
    await harness.pass(5 * 60_000)
    expect(objectCondition(await read('team'), 'Converted')).toMatch(/^True/)
  })

  test('a conflict is not a refusal: the write is tried again immediately', async () => {
    await putProvisioner('team', { provider: {}, weight: 5 })
    let conflicts = 0
    harness.fault = ({ verb, kind }, when) => {
      if (when !== 'before' || verb !== 'patch' || kind?.kind !== 'NodePool' || conflicts > 0) return undefined
      conflicts++
      return new ApiError({ code: 409, reason: 'Conflict', message: 'the object has been modified' })
    }
    await change('team', { weight: 6 })
    expect(conflicts).toBe(1)
    expect((await pool('team'))?.spec.weight).toBe(6)
    expect(objectCondition(await read('team'), 'Converted')).toMatch(/^True/)
    expect(harness.messages('Refused')).toEqual([])
  })

  test('writes nothing if nothing changes, even after a restart', async () => {
    await putProvisioner('team', { provider: {}, kubeletConfiguration: { maxPods: 3 } })
    await harness.pass(60_000)
    const writes: string[] = []
    harness.fault = ({ verb, kind }, when) => {
      if (when === 'before' && ['create', 'patch', 'update', 'delete'].includes(verb))
        writes.push(`${verb} ${kind?.kind}`)
      return undefined
    }
    await harness.pass(30 * 60_000)
    harness.restart()
    await harness.pass(60 * 60_000)
    expect(writes).toEqual([])
  })
})

describe('an AWSNodeTemplate', () => {
  test('is converted to a node class that Provisioners share; Provisioners wait for a missing one', async () => {
    await putProvisioner('a', { providerRef: { name: 'shared' } })
    await putProvisioner('b', { providerRef: { name: 'shared' } })
    expect(objectCondition(await read('a'), 'Ready')).toMatch(/^False/)
    await harness.put(templateKind, template('shared', { instanceProfile: 'nodes' }))
    await harness.pass(10_000)
    for (const name of ['a', 'b']) {
      expect((await pool(name))?.spec.template.spec.nodeClassRef.name).toBe('shared')
      expect(objectCondition(await read(name), 'Ready')).toMatch(/^True/)
    }
    const shared = await harness.admin.get(templateKind, { name: 'shared' })
    expect(objectCondition(shared, 'Ready')).toMatch(/^True/)
    expect(objectCondition(shared, 'FieldsGone')).toBe('True FieldsGone: spec.instanceProfile')
    expect(shared.status?.nodeClass).toBe('KWOKNodeClass/shared')
    await harness.admin.delete(templateKind, { name: 'shared' })
    await harness.pass(30_000)
    expect(await classNames()).toEqual(['default'])
    expect(objectCondition(await read('a'), 'Converted')).toMatch(/^False NodeTemplateNotFound/)
    expect(objectCondition(await read('a'), 'NodePoolReady')).toMatch(/^False/)
  })

  test('a class that a Provisioner described itself is deleted when it refers to a template instead', async () => {
    await putProvisioner('own', { provider: {} })
    expect(await classNames()).toEqual(['default', 'own'])
    await harness.put(templateKind, template('shared'))
    await change('own', { provider: null, providerRef: { name: 'shared' } })
    await harness.pass(10_000)
    expect(await classNames()).toEqual(['default', 'shared'])
    expect((await read('own')).status?.nodeClass).toBe('KWOKNodeClass/shared')
  })

  test('such a class stays while the API server refuses the NodePool that no longer uses it', async () => {
    await putProvisioner('own', { provider: {} })
    await harness.put(templateKind, template('shared'))
    harness.fault = ({ verb, kind }, when) =>
      when === 'before' && verb === 'patch' && kind?.kind === 'NodePool'
        ? new ApiError({ code: 403, reason: 'Forbidden', message: 'a policy refuses the NodePool' })
        : undefined
    await change('own', { provider: null, providerRef: { name: 'shared' } })
    await harness.pass(10_000)
    expect(objectCondition(await read('own'), 'Converted')).toMatch(/^False Refused/)
    expect((await pool('own'))?.spec.template.spec.nodeClassRef.name).toBe('own')
    expect(await classNames()).toContain('own')
    harness.fault = undefined
    await harness.pass(5 * 60_000)
    expect(await classNames()).toEqual(['default', 'shared'])
  })

  test('if one of several such classes may not be deleted, the others still are', async () => {
    await putProvisioner('own', { provider: {} })
    const { uid = '' } = (await read('own')).metadata
    const { apiVersion, kind } = provisioner('own')
    for (const name of ['own-a', 'own-b'])
      await harness.admin.create(
        kwokNodeClassKind,
        kwokNodeClass(name, { metadata: { ownerReferences: [{ apiVersion, kind, name: 'own', uid }] } }),
      )
    await harness.put(templateKind, template('shared'))
    // Whichever is tried first.
    let kept: string | undefined
    harness.fault = ({ verb, kind: of, ref }, when) => {
      if (when !== 'before' || verb !== 'delete' || of?.kind !== 'KWOKNodeClass') return undefined
      kept ??= ref?.name
      return ref?.name === kept
        ? new ApiError({ code: 403, reason: 'Forbidden', message: 'a webhook does not let it go' })
        : undefined
    }
    await change('own', { provider: null, providerRef: { name: 'shared' } })
    await harness.pass(10_000)
    expect(kept).toBeDefined()
    expect(await classNames()).toEqual(['default', kept, 'shared'].toSorted())
    harness.fault = undefined
    await harness.pass(5 * 60_000)
    expect(await classNames()).toEqual(['default', 'shared'])
  })
})

test('missing definitions are installed, and existing ones are not changed', async () => {
  const clock = new VirtualClock()
  const api = new SandboxApi({ clock, random: new SeededRandom(1) })
  const client = api.client()
  const [first] = legacyCrdManifests(templates)
  if (first === undefined) throw new Error('there are old kinds')
  const older = { ...first.manifest.spec, names: { ...first.manifest.spec.names, shortNames: ['prov'] } }
  await client.create(kinds.CustomResourceDefinition, { ...first.manifest, spec: { ...older } })
  const log = new RecordingLogger()
  const { signal } = new AbortController()
  const installing = installLegacyKinds({ client, clock, log, templates }, signal)
  await clock.advance(1_000)
  await installing
  const names = (await client.list(kinds.CustomResourceDefinition)).items.map(({ metadata, spec }) => [
    metadata.name,
    (spec['names'] as { readonly shortNames?: readonly string[] }).shortNames,
  ])
  expect(names).toEqual([
    ['awsnodetemplates.karpenter.k8s.aws', undefined],
    ['provisioners.karpenter.sh', ['prov']],
  ])
  expect(log.lines.map(({ message }) => message)).toEqual(['installed'])
})
