import { RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { LaunchTemplates } from './launch-templates.ts'

// See `providers/aws/docs/spec/aws.md#launch-templates`.

const never = new AbortController().signal
const MINUTE = 60_000
const nodeClassTags = (nodeClass: string, cluster = 'demo') => ({
  'eks:eks-cluster-name': cluster,
  'karpenter.k8s.aws/ec2nodeclass': nodeClass,
})
const TAGS = nodeClassTags('default')

/** Runs the controller once. It deletes expired templates, and the first run finds those of earlier runs. */
const round = (templates: LaunchTemplates) => templates.collection().reconcile('', never)

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const make = (clusterName = 'demo') =>
    new LaunchTemplates({ ec2, clock, log: new RecordingLogger() }, { clusterName })
  const templates = make()
  return {
    clock,
    ec2,
    make,
    templates,
    ensure: (imageId: string, tags = TAGS) => templates.ensure({ ImageId: imageId }, tags, never),
    names: () => [...ec2.templates.keys()],
    calls: (call: string) => ec2.faults.count(call),
  }
}

test('equal content shares one template, which is created once and named by its content', async () => {
  const { ec2, make, ensure, calls } = harness()
  const first = await ensure('ami-1')
  expect(first.name).toMatch(/^karpenter\.k8s\.aws\/\d+$/)
  expect(ec2.templates.get(first.name)).toMatchObject({ id: first.id, data: { ImageId: 'ami-1' }, tags: TAGS })
  expect(await ensure('ami-1')).toEqual(first)
  expect([calls('createLaunchTemplate'), calls('describeLaunchTemplates')]).toEqual([1, 1])
  // A new process finds it.
  expect(await make().ensure({ ImageId: 'ami-1' }, TAGS, never)).toEqual(first)
  expect(calls('createLaunchTemplate')).toBe(1)
})

test('other content, other tags and another cluster give another template', async () => {
  const { make, ensure } = harness()
  const found = [
    await ensure('ami-1'),
    await ensure('ami-2'),
    await ensure('ami-1', nodeClassTags('other')),
    await make('other').ensure({ ImageId: 'ami-1' }, TAGS, never),
  ]
  expect(new Set(found.map(({ name }) => name)).size).toBe(4)
})

test('if EC2 returns no template ID, the template is used by its name', async () => {
  const { ec2, ensure } = harness()
  ec2.createLaunchTemplate = async () => ({}) as never
  const made = await ensure('ami-1')
  expect(made.id).toBe('')
  expect(await ensure('ami-1')).toEqual(made)
})

test('concurrent calls for the same template create it once', async () => {
  const { ensure, calls } = harness()
  const [one, other] = await Promise.all([ensure('ami-1'), ensure('ami-1')])
  expect(one).toEqual(other)
  expect([calls('createLaunchTemplate'), calls('describeLaunchTemplates')]).toEqual([1, 1])
})

test('a template is deleted one minute after its last use', async () => {
  const { clock, templates, ensure, names } = harness()
  const [kept, left] = [await ensure('ami-1'), await ensure('ami-2')]
  await clock.advance(MINUTE - 1)
  await ensure('ami-1')
  await round(templates)
  expect(names()).toEqual([kept.name, left.name])
  await clock.advance(1)
  await round(templates)
  expect(names()).toEqual([kept.name])
  // A deleted template is created again.
  expect((await ensure('ami-2')).name).toBe(left.name)
  expect(names()).toEqual([kept.name, left.name])
})

test('a failed deletion does not stop the others, and is retried; a missing template is not an error', async () => {
  const { clock, ec2, templates, ensure, names, calls } = harness()
  const [, gone, last] = [await ensure('ami-1'), await ensure('ami-2'), await ensure('ami-3')]
  ec2.templates.delete(gone.name)
  await clock.advance(MINUTE)
  ec2.faults.next('deleteLaunchTemplate', { code: 'InternalError', status: 500 })
  const failure = await round(templates).catch((error: unknown) => error)
  expect(failure instanceof AggregateError && failure.errors).toMatchObject([{ name: 'InternalError' }])
  expect(names()).toHaveLength(1)
  expect(names()).not.toContain(last.name)
  await round(templates)
  expect(names()).toEqual([])
  await round(templates)
  expect(calls('deleteLaunchTemplate')).toBe(4)
})

test('a template that a launch is about to use is not deleted', async () => {
  const { clock, templates, ensure, names } = harness()
  const { name } = await ensure('ami-1')
  await clock.advance(MINUTE)
  const [used] = await Promise.all([ensure('ami-1'), round(templates)])
  expect([used.name, names()]).toEqual([name, [name]])
  await clock.advance(MINUTE)
  const [, again] = await Promise.all([round(templates), ensure('ami-1')])
  expect(names()).toEqual([again.name])
})

test('a failure does not affect later calls', async () => {
  const { ec2, ensure, names } = harness()
  ec2.faults.next('describeLaunchTemplates', { code: 'RequestLimitExceeded', status: 503 })
  const [failed, made] = await Promise.allSettled([ensure('ami-1'), ensure('ami-1')])
  expect([failed.status, made.status]).toEqual(['rejected', 'fulfilled'])
  expect(names()).toHaveLength(1)
})

test('a lost response is not a failure, because the name identifies the content', async () => {
  const { ec2, make } = harness()
  const templates = make()
  ec2.faults.next('createLaunchTemplate', { code: 'network', afterwards: true })
  const create = () => templates.ensure({ ImageId: 'ami-1' }, TAGS, never)
  await expect(create()).rejects.toThrow('socket hang up')
  // Another caller creates the template between the look-up and the call.
  const describe = ec2.describeLaunchTemplates
  let looks = 0
  ec2.describeLaunchTemplates = (query, signal) =>
    ++looks === 1 ? Promise.resolve([]) : describe.call(ec2, query, signal)
  const made = await create()
  expect([made.id, looks]).toEqual([ec2.templates.get(made.name)?.id, 2])

  const other = make()
  ec2.faults.next('createLaunchTemplate', { code: 'InvalidLaunchTemplateName.AlreadyExistsException' })
  await expect(other.ensure({ ImageId: 'ami-2' }, TAGS, never)).rejects.toThrow('AlreadyExists')
  ec2.faults.next('createLaunchTemplate', { code: 'UnauthorizedOperation', status: 403 })
  await expect(other.ensure({ ImageId: 'ami-3' }, TAGS, never)).rejects.toThrow('UnauthorizedOperation')
})

test('a forgotten template is searched for before it is created', async () => {
  const { ec2, templates, ensure, calls } = harness()
  const { name, id } = await ensure('ami-1')
  ec2.templates.delete(name)
  expect((await ensure('ami-1')).id).toBe(id)
  templates.forget(name)
  const anew = await ensure('ami-1')
  expect([anew.name, anew.id === id]).toEqual([name, false])
  templates.forget(name)
  expect(await ensure('ami-1')).toEqual(anew)
  expect([calls('createLaunchTemplate'), calls('describeLaunchTemplates')]).toEqual([2, 3])
})

test('templates of an earlier process expire after a minute, but those of other clusters do not', async () => {
  const { clock, make, ensure, names, calls } = harness()
  const [mine, used] = [await ensure('ami-1'), await ensure('ami-2')]
  const foreign = await ensure('ami-1', nodeClassTags('default', 'other'))
  await clock.advance(10 * MINUTE)
  const next = make()
  await round(next)
  await clock.advance(MINUTE / 2)
  expect(await next.ensure({ ImageId: 'ami-2' }, TAGS, never)).toEqual(used)
  await round(next)
  expect(names()).toEqual([mine.name, used.name, foreign.name])
  await clock.advance(MINUTE / 2)
  await round(next)
  expect(names()).toEqual([used.name, foreign.name])
  await clock.advance(MINUTE / 2)
  await round(next)
  expect(names()).toEqual([foreign.name])
  expect(calls('createLaunchTemplate')).toBe(3)
})

test('all templates of a deleted class are deleted, including those of other processes', async () => {
  const { ec2, clock, make, templates, ensure, names, calls } = harness()
  const other = await make().ensure({ ImageId: 'ami-1' }, TAGS, never)
  const own = await ensure('ami-2')
  const kept = [
    await ensure('ami-1', nodeClassTags('second')),
    await ensure('ami-1', nodeClassTags('default', 'other')),
  ]
  ec2.faults.next('deleteLaunchTemplate', { code: 'InternalError', status: 500 })
  const failure = await templates.deleteOf('default', never).catch((error: unknown) => error)
  expect(failure instanceof AggregateError && failure.errors).toHaveLength(1)
  expect(names()).toEqual([other.name, ...kept.map(({ name }) => name)])
  await templates.deleteOf('default', never)
  expect(names()).toEqual(kept.map(({ name }) => name))
  await templates.deleteOf('default', never)
  // Deleted templates leave the cache. Otherwise they would be deleted again.
  const before = calls('deleteLaunchTemplate')
  await clock.advance(MINUTE)
  await round(templates)
  expect(calls('deleteLaunchTemplate') - before).toBe(2)
  expect((await ensure('ami-2')).id).not.toBe(own.id)
})
