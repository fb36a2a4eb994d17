import { DeleteError, findError, isNodeClaimNotFound, isNotKnownYet } from '@kerf/provider-contract'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import { awsTags, clusterTag } from '../labels.ts'
import { instantWindows } from '../testing/fake-aws/fake-aws.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { Instances } from './instances.ts'

// See `providers/aws/docs/spec/aws.md#zonal-shift` and `providers/aws/docs/spec/aws.md#instances`, "Get", "List", "Delete", "CreateTags".

const never = new AbortController().signal
const OLD = 600_000
const UNKNOWN = 'i-00000000000000fff'
const TAGS = {
  [awsTags.nodePool]: 'default',
  [awsTags.nodeClass]: 'default',
  [awsTags.clusterName]: 'demo',
  [clusterTag('demo')]: 'owned',
}

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 60_000 })
  const metrics = new PrometheusMetrics()
  const shifted = new Set<string>()
  const launched = new Map<string, number>()
  const instances = new Instances(
    {
      ec2,
      clock: instantWindows(clock),
      metrics,
      isZoneShifted: (zone) => shifted.has(zone),
      launchTime: (id) => launched.get(id),
    },
    { clusterName: 'demo', reservedCapacity: true },
  )
  const plant = (tags: Readonly<Record<string, string>> = TAGS, age = OLD): string => ec2.plant(tags, age)
  const asked = (): number => ec2.faults.count('describeInstances')
  const change = (id: string, data: object): void => {
    const instance = ec2.instances.get(id)
    if (instance !== undefined) ec2.instances.set(id, { ...instance, data: { ...instance.data, ...data } })
  }
  return { clock, ec2, metrics, shifted, launched, instances, plant, asked, change }
}
const thrownError = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
const tagList = (tags: Readonly<Record<string, string>>) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))

test('a known instance comes from memory; if it is ending, or is read from the cloud, it is requested again', async () => {
  const { ec2, instances, plant, asked } = harness()
  const [id, other] = [plant(), plant()]
  await instances.list(never)
  expect((await instances.get(id, 'memory', never)).id).toBe(id)
  expect(asked()).toBe(0)
  expect((await instances.get(id, 'cloud', never)).isEnding).toBe(false)
  expect(asked()).toBe(1)
  await ec2.terminateInstances([other], never)
  expect((await instances.get(other, 'memory', never)).isEnding).toBe(false)
  expect((await instances.get(other, 'cloud', never)).isEnding).toBe(true)
  expect(asked()).toBe(2)
  expect((await instances.get(other, 'memory', never)).isEnding).toBe(true)
  expect(asked()).toBe(3)
})

test('the first read from memory lists all instances once for all callers, and a read from the cloud does not', async () => {
  const { ec2, instances, plant, asked } = harness()
  const ids = [plant(), plant(), plant()]
  await instances.get(ids[0] ?? '', 'cloud', never)
  expect(ec2.faults.count('listInstances')).toBe(0)
  await Promise.all(ids.map((id) => instances.get(id, 'memory', never)))
  expect([ec2.faults.count('listInstances'), asked()]).toEqual([1, 1])
  // If the listing does not contain an instance, the provider requests it by its id.
  await thrownError(instances.get(UNKNOWN, 'memory', never))
  expect([ec2.faults.count('listInstances'), asked()]).toEqual([1, 2])
})

test('after a failed first listing, the next caller tries again; an aborted caller gets its abort reason', async () => {
  const { ec2, instances, plant } = harness()
  const [id, other] = [plant(), plant()]
  ec2.faults.next('listInstances', { code: 'InternalError', status: 500 })
  expect((await instances.get(id, 'memory', never)).id).toBe(id)
  const stop = new AbortController()
  const stopped = instances.get(other, 'memory', stop.signal)
  stop.abort(new Error('enough'))
  expect(await thrownError(stopped)).toMatchObject({ message: 'enough' })
  expect(ec2.faults.count('listInstances')).toBe(2)
})

test('an instance that is terminated, or that EC2 does not know, is gone and is removed from memory', async () => {
  const { ec2, instances, plant } = harness()
  const id = plant()
  await instances.list(never)
  expect(instances.knownTags(id)).toEqual(TAGS)
  ec2.end(id)
  for (const gone of [id, UNKNOWN])
    expect(isNodeClaimNotFound(await thrownError(instances.get(gone, 'cloud', never)))).toBe(true)
  expect(instances.knownTags(id)).toBeUndefined()
})

test('for five minutes after its launch, an instance that EC2 does not list is not gone', async () => {
  const { clock, ec2, instances, launched, plant } = harness()
  launched.set(UNKNOWN, clock.now())
  const id = plant(TAGS, 0)
  await instances.list(never)
  ec2.instances.delete(id)
  for (const young of [id, UNKNOWN]) {
    const failure = await thrownError(instances.get(young, 'cloud', never))
    expect(isNodeClaimNotFound(failure)).toBe(false)
    expect(isNotKnownYet(failure), 'waiting is no error').toBe(true)
  }
  await instances.list(never)
  expect(instances.knownTags(id)).toBeDefined()
  await clock.advance(299_999)
  expect(isNodeClaimNotFound(await thrownError(instances.get(UNKNOWN, 'cloud', never)))).toBe(false)
  await clock.advance(1)
  await instances.list(never)
  expect(instances.knownTags(id)).toBeUndefined()
  expect(isNodeClaimNotFound(await thrownError(instances.get(UNKNOWN, 'cloud', never)))).toBe(true)
})

test('an instance of another cluster is ignored, and one without ownership tags is reported while it exists', async () => {
  const { ec2, instances, plant } = harness()
  const heard: string[] = []
  const stop = instances.onUntagged((id) => heard.push(id))
  const [foreign, bare, whole, ending] = [
    plant({ ...TAGS, [awsTags.clusterName]: 'other' }),
    plant({ [awsTags.clusterName]: 'demo' }),
    plant(),
    plant({}),
  ]
  await ec2.terminateInstances([ending], never)
  const failure = await thrownError(instances.get(foreign, 'cloud', never))
  expect(isNodeClaimNotFound(failure)).toBe(false)
  expect(instances.knownTags(foreign)).toBeUndefined()
  for (const id of [bare, whole, ending]) await instances.get(id, 'cloud', never)
  expect(heard).toEqual([bare])
  stop()
  await instances.get(bare, 'cloud', never)
  expect(heard).toEqual([bare])
})

test('a listing contains the instances with all three tags of the cluster', async () => {
  const { ec2, instances, plant } = harness()
  const id = plant()
  const [ended, ending] = [plant(), plant()]
  await ec2.terminateInstances([ended, ending], never)
  ec2.end(ended)
  for (const key of [awsTags.nodePool, awsTags.nodeClass, awsTags.clusterName])
    plant(Object.fromEntries(Object.entries(TAGS).filter(([own]) => own !== key)))
  plant({ ...TAGS, [awsTags.clusterName]: 'other' })
  expect((await instances.list(never)).map((each) => each.id)).toEqual([id, ending])
})

test('in a zone from which traffic was shifted away, a missing instance is not gone and comes from memory', async () => {
  const { ec2, instances, shifted, plant, asked } = harness()
  const [lost, left] = [plant(), plant()]
  ec2.instances.set(left, {
    ...ec2.instances.get(left),
    data: { ...ec2.instances.get(left)?.data, InstanceId: left, Placement: { AvailabilityZone: 'us-east-1b' } },
  })
  await instances.list(never)
  shifted.add('us-east-1b')
  // EC2's response still contains the new instance. The result must contain it only once.
  expect((await instances.list(never)).map((each) => each.id)).toEqual([lost, left])
  ec2.instances.clear()
  expect((await instances.list(never)).map((each) => each.id)).toEqual([left])
  expect([instances.knownTags(lost), instances.knownTags(left)]).toEqual([undefined, TAGS])
  expect((await instances.get(left, 'cloud', never)).id).toBe(left)
  expect(asked()).toBe(0)
  shifted.clear()
  expect(isNodeClaimNotFound(await thrownError(instances.get(left, 'cloud', never)))).toBe(true)
})

test('in a zone from which traffic was shifted away, nothing is terminated or tagged', async () => {
  const { ec2, instances, shifted, plant } = harness()
  const id = plant()
  shifted.add('us-east-1a')
  await expect(instances.terminate(id, never)).rejects.toThrow('us-east-1a')
  await expect(instances.tag(id, { a: 'b' }, never)).rejects.toThrow('us-east-1a')
  expect(ec2.faults.count('terminateInstances', 'createTags')).toBe(0)
  shifted.clear()
  await instances.tag(id, { a: 'b' }, never)
  await instances.terminate(id, never)
  expect(ec2.faults.count('terminateInstances', 'createTags')).toBe(2)
})

test('current states are read by id if the ids fit into one call, otherwise with a listing', async () => {
  const { ec2, instances, plant, asked } = harness()
  expect(await instances.current([], never)).toEqual(new Map())
  const ids = Array.from({ length: 500 }, () => plant())
  expect([...(await instances.current(ids, never)).keys()]).toEqual(ids)
  expect([ec2.faults.count('listInstances'), asked()]).toEqual([0, 1])
  const [first = ''] = ids
  const found = await instances.current([...ids.slice(0, -1), UNKNOWN, 'i-00000000000000ffe'], never)
  expect([found.size, found.has(first), found.has(ids[499] ?? '')]).toEqual([499, true, false])
  expect(ec2.faults.count('listInstances')).toBe(1)
})

test('a single instance in an unknown state does not affect the others; if all are in unknown states, the read fails', async () => {
  const { ec2, instances, plant } = harness()
  const [id, foreign] = [plant(), plant({ ...TAGS, [awsTags.clusterName]: 'other' })]
  expect([...(await instances.current([id, foreign, UNKNOWN], never)).keys()]).toEqual([id])
  expect(await instances.current([UNKNOWN], never)).toEqual(new Map())
  await expect(instances.current([foreign, UNKNOWN], never)).rejects.toThrow('other')
  const stop = new AbortController()
  const stopped = instances.current([id], stop.signal)
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  ec2.faults.standing('describeInstances', { code: 'RequestLimitExceeded', status: 503 })
  await expect(instances.current([id], never)).rejects.toThrow('RequestLimitExceeded')
})

test('a termination is requested once, and is known from then on', async () => {
  const { ec2, instances, plant } = harness()
  const id = plant()
  await instances.terminate(id, never)
  await instances.terminate(id, never)
  expect(ec2.faults.count('terminateInstances')).toBe(1)
  expect(ec2.living()[0]?.endsAt).toBeDefined()
  ec2.end(id)
  expect(isNodeClaimNotFound(await thrownError(instances.terminate(id, never)))).toBe(true)
})

test('an instance without a mark of the cluster is not terminated, and a refusal is counted by zone', async () => {
  const { ec2, metrics, instances, plant, change } = harness()
  const [bare, id] = [plant({}), plant()]
  expect(findError(await thrownError(instances.terminate(bare, never)), DeleteError)?.reason).toBe('OwnershipUnknown')
  expect(await metrics.text()).not.toContain('termination_failures_total{')
  ec2.faults.next('terminateInstances', { code: 'InternalError', status: 500 })
  await thrownError(instances.terminate(id, never))
  change(id, { Placement: { AvailabilityZone: 'us-east-1c' } })
  ec2.protectedInstances.add(id)
  expect(findError(await thrownError(instances.terminate(id, never)), DeleteError)?.reason).toBe('TerminationProtected')
  const name = 'karpenter_cloudprovider_instance_termination_failures_total'
  const text = await metrics.text()
  expect(text).toContain(`${name}{zone="us-east-1a",zone_id="use1-az1"} 1`)
  expect(text).toContain(`${name}{zone="us-east-1c",zone_id=""} 1`)
})

test('an instance that EC2 described, but does not know at termination, is not gone', async () => {
  const { ec2, instances, plant } = harness()
  const id = plant()
  ec2.terminateInstances = async () => {
    throw Object.assign(new Error(`The instance ID '${id}' does not exist`), {
      name: 'InvalidInstanceID.NotFound',
      $metadata: { httpStatusCode: 400 },
    })
  }
  const failure = await thrownError(instances.terminate(id, never))
  expect([isNodeClaimNotFound(failure), String(failure)]).toEqual([false, expect.stringContaining('does not find')])
})

test('tags are added and known immediately; tagging an instance that is gone fails differently from a refusal', async () => {
  const { ec2, instances, plant } = harness()
  const id = plant()
  await instances.tag(id, { Name: 'a' }, never)
  expect(instances.knownTags(id)).toBeUndefined()
  await instances.list(never)
  await instances.tag(id, { team: 'b', Name: 'c' }, never)
  expect(instances.knownTags(id)).toEqual({ ...TAGS, Name: 'c', team: 'b' })
  expect(ec2.instances.get(id)?.data.Tags).toEqual(tagList({ ...TAGS, Name: 'c', team: 'b' }))
  expect(isNodeClaimNotFound(await thrownError(instances.tag(UNKNOWN, { a: 'b' }, never)))).toBe(true)
  ec2.faults.next('createTags', { code: 'UnauthorizedOperation', status: 403 })
  expect(isNodeClaimNotFound(await thrownError(instances.tag(id, { a: 'b' }, never)))).toBe(false)
})

test('launched instances are known before EC2 lists them', async () => {
  const { instances, plant, asked } = harness()
  const made = await instances.get(plant(), 'cloud', never)
  instances.remember({ ...made, id: UNKNOWN })
  expect((await instances.get(UNKNOWN, 'memory', never)).type).toBe('m5.large')
  expect(asked()).toBe(1)
})

test('searches by tag share one call, and an instance in several answers is converted once', async () => {
  const { ec2, instances, plant } = harness()
  const id = plant({ ...TAGS, team: 'a' })
  plant({ team: 'a' })
  const query = vi.spyOn(ec2, 'describeInstances')
  const ask = (value: string) => instances.tagged({ tag: 'team', value, shared: 'none' }, never)
  const [one = [], other = []] = await Promise.all([ask('a'), ask('*')])
  expect([one.map((each) => each.id), query.mock.calls.length]).toEqual([[id], 1])
  expect(one[0]).toBe(other[0])
})
