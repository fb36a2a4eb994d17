import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { instanceTypeToJson } from '@kerf/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offlineInstanceTypes, offlineProviders } from '../providers.ts'
import { openTypes } from './instance-types.ts'
import { isRunningController } from './running-controller.ts'

test.each<readonly [source: string, is: boolean]>([
  ['http://localhost:8080', true],
  ['HTTPS://kerf.example.com/kerf/v1/instance-types', true],
  ['controller', true],
  ['controller:kube-system/karpenter:8080', true],
  ...offlineProviders.map((name) => [name, false] as const),
  ['controller.json', false],
  ['./http/types.json', false],
])('%s', (source, is) => {
  expect(isRunningController(source)).toBe(is)
})

describe('at an address', () => {
  const asked: string[] = []
  let answer: { readonly status: number; readonly text: string } = { status: 200, text: '' }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(answer.status).end(answer.text)
  })
  let origin = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [type] = (await offlineInstanceTypes('kwok')) ?? []
    if (type === undefined) throw new Error('no type')
    const dearer = { ...type, offerings: type.offerings.map((each) => ({ ...each, price: 7.5 })) }
    answer = { status: 200, text: JSON.stringify({ lists: [[instanceTypeToJson(dearer)]], pools: { general: 0 } }) }
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  const open = (instanceTypes: string) => openTypes({ instanceTypes }, [], {})

  test('its prices are used, by NodePool, with and without the path', async () => {
    for (const source of [origin, `${origin}/`, `${origin}/kerf/v1/instance-types`]) {
      const opened = await open(source)
      expect(opened.types.flatMap(({ offerings }) => offerings.map(({ price }) => price))).toContain(7.5)
      expect([...(opened.byPool ?? new Map()).keys()]).toEqual(['general'])
      expect(opened.priceNote).toBe('prices: from the running Kerf')
    }
    expect(new Set(asked)).toEqual(new Set(['/kerf/v1/instance-types']))
  })

  test.each([
    [404, 'not found', 'HTTP status 404'],
    [200, '<html>', 'the response is not JSON'],
    [200, '{"data": []}', 'is not an endpoint of Kerf'],
  ])('a response that is not from Kerf is an error: %i %s', async (status, text, problem) => {
    const before = answer
    answer = { status, text }
    await expect(open(origin)).rejects.toThrow(problem)
    answer = before
  })

  test('the error about an unreachable controller names its address and the remedy', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    await expect(open(`http://127.0.0.1:${port}`)).rejects.toThrow(
      /cannot be read at http:\/\/127\.0\.0\.1:\d+\/kerf\/v1\/instance-types: .*ECONNREFUSED.*give the URL of its metrics port, or save its response to a file, with kubectl port-forward/,
    )
  })

  test('--region with a running controller is refused, and an invalid service is refused', async () => {
    await expect(openTypes({ instanceTypes: origin, region: 'eu-west-1' }, [], {})).rejects.toThrow(
      '--region applies to',
    )
    await expect(open('controller:karpenter')).rejects.toThrow('controller:NAMESPACE/SERVICE:PORT such as')
    await expect(open('http://')).rejects.toThrow('not a URL')
  })
})
