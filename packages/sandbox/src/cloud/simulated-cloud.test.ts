import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { CloudError, type CloudEvent, type OfferingName } from './cloud-instance.ts'
import { type LaunchRequest, SimulatedCloud, type SimulatedCloudOptions } from './simulated-cloud.ts'

const spot: OfferingName = { instanceType: 'm-large', zone: 'z1', capacityType: 'spot' }
const onDemand: OfferingName = { ...spot, capacityType: 'on-demand' }

const cloudOf = (more: Partial<SimulatedCloudOptions> = {}) => {
  const clock = new VirtualClock()
  const offerings = [
    { ...spot, price: 0.1 },
    { ...onDemand, price: 0.4 },
  ]
  const cloud = new SimulatedCloud({ clock, random: new SeededRandom(1), offerings, ...more })
  const events: string[] = []
  cloud.onEvent((event: CloudEvent) => events.push(event.kind))
  return { clock, cloud, events }
}

const launch = (token: string, offerings: readonly OfferingName[] = [spot, onDemand]): LaunchRequest => ({
  token,
  offerings,
  tags: { cluster: 'test' },
  node: (_, id) => ({ name: id, labels: {}, capacity: { cpu: '2' }, allocatable: { cpu: '2' } }),
})

const code = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof CloudError ? error.code : `no CloudError but ${error}`
}

test('an instance boots, runs and terminates, and stays visible for an hour', async () => {
  const { clock, cloud, events } = cloudOf()
  const { id } = await cloud.run(launch('a'))
  expect((await cloud.describe(id)).state).toBe('pending')
  await clock.advance(15_000)
  expect((await cloud.describe(id)).state).toBe('running')
  expect((await cloud.terminate(id)).state).toBe('terminating')
  await clock.advance(5_000)
  expect((await cloud.describe(id)).state).toBe('terminated')
  expect(await cloud.list()).toEqual([])
  expect(cloud.instances()).toEqual([])
  await clock.advance(3_600_000)
  expect(await code(cloud.describe(id))).toBe('InstanceNotFound')
  expect(events).toEqual(['launched', 'running', 'terminating', 'terminated'])
})

test('a launch whose response was lost is found again by its token', async () => {
  const { cloud } = cloudOf()
  cloud.faults.next('run', { after: new CloudError('Timeout', 'the answer was lost') })
  expect(await code(cloud.run(launch('a')))).toBe('Timeout')
  const [first] = cloud.instances()
  expect((await cloud.run(launch('a'))).id).toBe(first?.id)
  expect(cloud.launches).toBe(1)
  expect(await code(cloud.run(launch('a', [onDemand])))).toBe('TokenMismatch')
  cloud.faults.next('run', { before: new CloudError('Internal', 'try again') })
  expect(await code(cloud.run(launch('b')))).toBe('Internal')
  expect(cloud.launches).toBe(1)
})

test('exhausted offerings are skipped, and are launched again after they are restored', async () => {
  const { clock, cloud, events } = cloudOf()
  cloud.market.exhaust({ capacityType: 'spot' })
  expect((await cloud.run(launch('a'))).capacityType).toBe('on-demand')
  cloud.market.setCapacity({ capacityType: 'on-demand' }, 1)
  expect(await code(cloud.run(launch('b')))).toBe('InsufficientCapacity')
  const [running] = cloud.instances()
  await cloud.terminate(running?.id ?? '')
  await clock.advance(5_000)
  expect((await cloud.run(launch('b'))).capacityType).toBe('on-demand')
  cloud.market.restore({})
  expect((await cloud.run(launch('c'))).capacityType).toBe('spot')
  expect(events.filter((kind) => kind === 'capacity').length).toBe(5)
})

test('spot instances end two minutes after the notice, and other instances keep running', async () => {
  const { clock, cloud } = cloudOf()
  const { id } = await cloud.run(launch('a'))
  const { id: other } = await cloud.run(launch('b', [onDemand]))
  await clock.advance(20_000)
  expect(cloud.interrupt({ zone: 'z1' }).map((instance) => instance.id)).toEqual([id])
  expect(cloud.interrupt({ zone: 'z1' })).toEqual([])
  await clock.advance(119_000)
  expect((await cloud.describe(id)).state).toBe('running')
  await clock.advance(1_000)
  expect((await cloud.describe(id)).state).toBe('terminating')
  await clock.advance(5_000)
  expect(cloud.instances().map((instance) => instance.id)).toEqual([other])
})

test('running time is charged at the price that applied at that time', async () => {
  const { clock, cloud } = cloudOf()
  const { id } = await cloud.run(launch('a'))
  await clock.advance(3_600_000)
  expect(cloud.totalCost()).toBeCloseTo(0.1)
  cloud.market.setPrice({ capacityType: 'spot' }, (price) => price * 3)
  expect(cloud.hourlyCost()).toBeCloseTo(0.3)
  await clock.advance(3_600_000)
  expect(cloud.totalCost()).toBeCloseTo(0.4)
  cloud.kill(id)
  await clock.advance(2 * 3_600_000)
  expect(cloud.totalCost()).toBeCloseTo(0.4)
})

test('a lagging list shows neither new instances nor recent terminations', async () => {
  const { clock, cloud } = cloudOf({ listLag: 10_000 })
  const { id } = await cloud.run(launch('a'))
  expect(await cloud.list()).toEqual([])
  await clock.advance(10_000)
  expect((await cloud.list({ cluster: 'test' })).map((one) => one.id)).toEqual([id])
  expect(await cloud.list({ cluster: 'other' })).toEqual([])
  await clock.advance(60_000)
  cloud.kill(id)
  expect((await cloud.list()).map((one) => one.state)).toEqual(['running'])
  await clock.advance(10_000)
  expect(await cloud.list()).toEqual([])
})

test('an instance that never boots stays pending', async () => {
  const { clock, cloud } = cloudOf({ overridesFor: () => ({ bootDelay: 'never' }) })
  const { id } = await cloud.run(launch('a'))
  await clock.advance(3_600_000)
  expect((await cloud.describe(id)).state).toBe('pending')
})
