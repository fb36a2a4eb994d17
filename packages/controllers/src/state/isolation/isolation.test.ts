import { kinds } from '@kerf/apis'
import { PrometheusMetrics, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Isolation, processIsolation, type SetAsideObject } from './isolation.ts'
import { setAsideEvent } from './set-aside-event.ts'

const start = () => {
  const deps = { clock: new VirtualClock(), log: new RecordingLogger(), metrics: new PrometheusMetrics() }
  return { ...deps, deps, isolation: new Isolation(deps) }
}
const fail = (): never => {
  throw new Error('odd')
}

test('an object that throws is reported once per version and reader, and the others are read', async () => {
  const { isolation, log, metrics } = start()
  const [odd, sound] = [pod('odd'), pod('sound')]
  const told: SetAsideObject[] = []
  isolation.onSetAside((found) => told.push(found))
  const read = (): readonly string[] =>
    [odd, sound].map((each) =>
      isolation.guard('Pod', 'provisioning', each, () => (each === odd ? fail() : each.metadata.name), 'none'),
    )
  expect([read(), read()]).toEqual([
    ['none', 'sound'],
    ['none', 'sound'],
  ])
  isolation.guard('Pod', 'termination', odd, fail, undefined)
  isolation.guard('Pod', 'provisioning', { ...odd }, fail, undefined)
  expect(log.lines.map(({ fields }) => [fields['Pod'], fields['stage']])).toEqual([
    [{ namespace: 'default', name: 'odd' }, 'provisioning'],
    [{ namespace: 'default', name: 'odd' }, 'termination'],
    [{ namespace: 'default', name: 'odd' }, 'provisioning'],
  ])
  expect(told).toHaveLength(3)
  expect(await metrics.text()).toContain('kerf_objects_set_aside_total{kind="Pod",stage="provisioning"} 2')
})

test('an object is left out for five minutes, unless it was set aside together with others', async () => {
  const { isolation, clock } = start()
  const [odd, unsure] = [pod('odd'), pod('unsure')]
  isolation.report({ kind: 'Pod', stage: 'provisioning', object: odd, error: new Error('odd') })
  isolation.report({ kind: 'Pod', stage: 'provisioning', object: unsure, error: new Error('odd'), isSure: false })
  expect(isolation.sound('provisioning', [odd, unsure])).toEqual([unsure])
  expect(isolation.sound('termination', [odd])).toEqual([odd])
  await clock.advance(300_001)
  expect(isolation.sound('provisioning', [odd])).toEqual([odd])
})

test('instances with the same metrics share their state', () => {
  const { deps } = start()
  expect(processIsolation(deps)).toBe(processIsolation({ ...deps, log: new RecordingLogger() }))
})

test('the Event is about the object; an object without a name gets none', () => {
  const found = { kind: 'Pod', stage: 'provisioning', object: pod('odd'), error: new Error('odd') } as const
  expect(setAsideEvent(found)).toMatchObject({
    object: { kind: kinds.Pod.kind, metadata: { name: 'odd' } },
    reason: 'ObjectSetAside',
    message: 'The object cannot be read (provisioning) and is ignored: odd',
  })
  const unreadable = new Proxy(pod('odd'), { get: fail })
  expect(setAsideEvent({ ...found, object: unreadable })).toBeUndefined()
})
