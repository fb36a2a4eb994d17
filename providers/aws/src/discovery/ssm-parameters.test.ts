import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeSsm } from '../testing/fake-aws/fake-services.ts'
import { Requests } from '../testing/fake-aws/requests.ts'
import { SsmParameters } from './ssm-parameters.ts'

const never = new AbortController().signal
const DAY = 86_400_000

const harness = () => {
  const clock = new VirtualClock()
  const ssm = new FakeSsm('1.36', new Requests(clock))
  for (const name of ['/moves', '/stays', '/mine']) ssm.parameters.set(name, `ami${name}`)
  return { clock, ssm, parameters: new SsmParameters(ssm, clock), asked: () => ssm.faults.count('getParameter') }
}

test('a value that AWS publishes is read once a day, and a user’s own value every five minutes', async () => {
  const { clock, ssm, parameters, asked } = harness()
  expect(await parameters.get('/moves', 'latest', never)).toBe('ami/moves')
  expect(await parameters.get('/mine', 'own', never)).toBe('ami/mine')
  ssm.parameters.set('/moves', 'ami-new').set('/mine', 'ami-own')
  await clock.advance(299_999)
  expect(await parameters.get('/mine', 'own', never)).toBe('ami/mine')
  await clock.advance(1)
  expect(await parameters.get('/mine', 'own', never)).toBe('ami-own')
  await clock.advance(DAY - 300_001)
  expect(await parameters.get('/moves', 'latest', never)).toBe('ami/moves')
  expect(asked()).toBe(3)
  await clock.advance(1)
  expect(await parameters.get('/moves', 'latest', never)).toBe('ami-new')
})

test('moving parameters are listed while cached, and are read again after they were removed', async () => {
  const { clock, parameters, asked } = harness()
  await parameters.get('/moves', 'latest', never)
  await parameters.get('/stays', 'pinned', never)
  await parameters.get('/mine', 'own', never)
  expect(parameters.moving).toEqual(new Map([['/moves', 'ami/moves']]))
  parameters.forget('/moves')
  expect(parameters.moving).toEqual(new Map())
  await parameters.get('/moves', 'latest', never)
  expect(asked()).toBe(4)
  await clock.advance(DAY)
  expect(parameters.moving).toEqual(new Map())
})

test('a parameter that has no value or is refused is not cached', async () => {
  const { ssm, parameters, asked } = harness()
  await expect(parameters.get('/none', 'latest', never)).rejects.toThrow('ParameterNotFound')
  const get = ssm.getParameter
  ssm.getParameter = async () => undefined as never
  expect(await parameters.get('/moves', 'latest', never)).toBeUndefined()
  expect(parameters.moving).toEqual(new Map())
  ssm.getParameter = get
  expect(await parameters.get('/moves', 'latest', never)).toBe('ami/moves')
  expect(asked()).toBe(2)
})
