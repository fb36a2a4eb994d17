import { once } from 'node:events'
import { createServer } from 'node:http'
import { PrometheusMetrics, SystemClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { sdkError } from '../testing/fake-aws/sdk-error.ts'
import { findRegion } from './region.ts'
import { choosePricingRegion, sdkApi } from './sdk-api.ts'

const never = new AbortController().signal

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  /** If set, the server closes the connection before its response, or in the middle of it. */
  readonly cut?: 'before' | 'within'
}

/** Starts a server that returns the answers in this order, and returns clients that are connected to it. */
const harness = async (...answers: readonly Answer[]) => harnessWith({}, ...answers)

const harnessWith = async (
  options: Partial<Parameters<typeof sdkApi>[0]>,
  ...answers: readonly (Answer | 'silence')[]
) => {
  const requests: { readonly body: string; readonly agent: string }[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    requests.push({ body: Buffer.concat(chunks).toString(), agent: incoming.headers['user-agent'] ?? '' })
    const answer = answers[Math.min(requests.length, answers.length) - 1]
    if (answer === 'silence') return
    if (answer?.cut === 'before') {
      incoming.socket.destroy()
      return
    }
    if (answer?.cut === 'within') {
      outgoing.writeHead(200, { 'content-type': answer.type, 'content-length': Buffer.byteLength(answer.body) })
      outgoing.write(answer.body.slice(0, answer.body.length / 2), () => incoming.socket.destroy())
      return
    }
    outgoing.writeHead(answer?.status ?? 500, { 'content-type': answer?.type ?? 'text/plain' })
    outgoing.end(answer?.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  const metrics = new PrometheusMetrics()
  const api = sdkApi({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    maxAttempts: 2,
    version: '1.2.3',
    clock: new SystemClock(),
    metrics,
    ...options,
  })
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { api, requests, metrics, close }
}

const ec2Answer = (action: string, body: string) => ({
  status: 200,
  type: 'text/xml',
  body: `<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId>${body}</${action}Response>`,
})
const ec2Error = (status: number, code: string) => ({
  status,
  type: 'text/xml',
  body: `<Response><Errors><Error><Code>${code}</Code><Message>m</Message></Error></Errors><RequestID>r</RequestID></Response>`,
})

test('a host name that cannot be resolved leads to a Node.js error without a status, the same as in the fakes', async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  const api = sdkApi({
    region: 'us-east-1',
    // RFC 2606 reserves the domain .invalid.
    endpoint: 'http://ec2.invalid',
    maxAttempts: 2,
    version: '1.2.3',
    clock: new SystemClock(),
    metrics: new PrometheusMetrics(),
  })
  const error: unknown = await api.ec2.describeSubnets([], never).catch((thrown: unknown) => thrown)
  // On a machine without a DNS resolver, the code is EAI_AGAIN.
  const { code } = error as { readonly code: string }
  expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(code)
  const faked = sdkError({ code: 'ENOTFOUND' })
  expect(error).toMatchObject({ name: faked.name, $metadata: { attempts: 2 } })
  expect(error).not.toHaveProperty('Code')
  expect(error).not.toHaveProperty('$metadata.httpStatusCode')
  expect(faked).not.toHaveProperty('Code')
  expect(faked).not.toHaveProperty('$metadata.httpStatusCode')
  expect(classifyAwsFailure(faked)).toMatchObject({ class: 'no-endpoint', code: 'ENOTFOUND' })
})

test('lists are read up to their last page', async () => {
  const { api, requests, metrics, close } = await harness(
    ec2Answer(
      'DescribeSubnets',
      '<nextToken>more</nextToken><subnetSet><item><subnetId>subnet-1</subnetId></item></subnetSet>',
    ),
    ec2Answer('DescribeSubnets', '<subnetSet><item><subnetId>subnet-2</subnetId></item></subnetSet>'),
  )
  try {
    const found = await api.ec2.describeSubnets([{ Name: 'tag:a', Values: ['b'] }], never)
    expect(found.map(({ SubnetId }) => SubnetId)).toEqual(['subnet-1', 'subnet-2'])
    expect(requests.map(({ body }) => new URLSearchParams(body).get('NextToken'))).toEqual([null, 'more'])
    expect(requests[0]?.agent).toContain('karpenter.sh-1.2.3')
    expect(await metrics.text()).toContain(
      'aws_sdk_go_request_total{service="EC2",action="DescribeSubnets",status_code="200"} 2',
    )
  } finally {
    await close()
  }
})

test('a failed page fails the list', async () => {
  const { api, close } = await harness(
    ec2Answer(
      'DescribeSubnets',
      '<nextToken>more</nextToken><subnetSet><item><subnetId>subnet-1</subnetId></item></subnetSet>',
    ),
    ec2Error(400, 'InvalidNextToken'),
  )
  try {
    await expect(api.ec2.describeSubnets([], never)).rejects.toMatchObject({ name: 'InvalidNextToken' })
  } finally {
    await close()
  }
})

test.each([
  [503, 'RequestLimitExceeded', 'rate-limited', 2],
  [500, 'InternalError', 'server', 2],
  [403, 'UnauthorizedOperation', 'unauthorized', 1],
  [400, 'InvalidInstanceID.NotFound', 'not-found', 1],
] as const)('%d %s is %s, after %d attempts', async (status, code, kind, attempts) => {
  const { api, requests, metrics, close } = await harness(ec2Error(status, code))
  try {
    const error = await api.ec2
      .describeInstances({ ids: ['i-1'], filters: [] }, never)
      .catch((thrown: unknown) => thrown)
    expect(classifyAwsFailure(error)).toMatchObject({ class: kind, code })
    expect(requests).toHaveLength(attempts)
    const text = await metrics.text()
    const of = '{service="EC2",action="DescribeInstances"'
    expect(text).toContain(`aws_sdk_go_request_total${of},status_code="${status}"} 1`)
    expect(text).toContain(`aws_sdk_go_request_attempt_total${of},status_code="${status}"} ${attempts}`)
    expect(text).toContain(`aws_sdk_go_request_retry_count_sum${of}} ${attempts - 1}`)
    expect(text).toContain(`aws_sdk_go_request_duration_seconds_count${of}} 1`)
    expect(text).toContain(`aws_sdk_go_request_attempt_duration_seconds_count${of}} ${attempts}`)
  } finally {
    await close()
  }
})

const fleetAnswer = ec2Answer('CreateFleet', '<fleetId>fleet-1</fleetId><errorSet/><fleetInstanceSet/>')

test.each([
  ['before the answer', { ...fleetAnswer, cut: 'before' }, 2],
  ['within the answer', { ...fleetAnswer, cut: 'within' }, 2],
  ['before the answer, and the repeat is refused', { ...fleetAnswer, cut: 'before' }, 2, ec2Error(403, 'AuthFailure')],
  ['for what looks like an answer and is none', { ...fleetAnswer, body: '<html>gateway' }, 1],
] as const)(
  'the outcome of a fleet is unknown if the connection breaks %s',
  async (_, first, attempts, second?: Answer) => {
    const { api, requests, close } = await harness(first, ...(second === undefined ? [] : [second]))
    try {
      const input = {
        ClientToken: 'token',
        LaunchTemplateConfigs: [],
        TargetCapacitySpecification: { TotalTargetCapacity: 1 },
      }
      const error = await api.ec2.createFleet(input, never).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(classifyAwsFailure(error).isRefusal).toBe(false)
      if (second === undefined) expect(classifyAwsFailure(error).class).toBe('server')
      expect(requests).toHaveLength(attempts)
      // A retry of the SDK sends an identical body.
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
      expect(new URLSearchParams(requests[0]?.body).get('ClientToken')).toBe('token')
    } finally {
      await close()
    }
  },
)

test('a fleet that EC2 refuses at the first attempt was not launched', async () => {
  const { api, close } = await harness(ec2Error(403, 'UnauthorizedOperation'))
  try {
    const input = { LaunchTemplateConfigs: [], TargetCapacitySpecification: { TotalTargetCapacity: 1 } }
    const error = await api.ec2.createFleet(input, never).catch((thrown: unknown) => thrown)
    expect(classifyAwsFailure(error)).toMatchObject({ class: 'unauthorized', isRefusal: true })
  } finally {
    await close()
  }
})

test('dry runs are attempted only once', async () => {
  const { api, requests, close } = await harness(ec2Error(500, 'InternalError'))
  try {
    await api.ec2.tryRunInstances({ MinCount: 1, MaxCount: 1 }, never).catch(() => undefined)
    expect(requests).toHaveLength(1)
    expect(new URLSearchParams(requests[0]?.body).get('DryRun')).toBe('true')
  } finally {
    await close()
  }
})

test.each([
  ['us-west-2', 'us-east-1'],
  ['ap-northeast-1', 'ap-south-1'],
  ['eu-west-3', 'eu-central-1'],
  ['cn-north-1', 'cn-northwest-1'],
])('prices of %s are requested in %s', (region, where) => {
  expect(choosePricingRegion(region)).toBe(where)
})

test('a request on a silent connection fails after the request timeout', async () => {
  const { api, close } = await harnessWith({ requestTimeout: 200, maxAttempts: 1 }, 'silence')
  await expect(api.ssm.getParameter('/a', never)).rejects.toMatchObject({ name: 'TimeoutError' })
  await close()
})

test('while the gate is closed, requests that change something are not sent or retried, and read requests are sent', async () => {
  let isOpen = true
  const gate = {
    check: () => {
      if (!isOpen) throw new Error('closed')
    },
  }
  const busy = { status: 503, type: 'text/xml', body: '<Response/>' }
  const { api, requests, close } = await harnessWith({ gate }, busy, busy, busy)
  const profile = { name: 'a', path: '/', tags: {} }
  const first = api.iam.createInstanceProfile(profile, never)
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  isOpen = false
  await expect(first).rejects.toThrow('closed')
  await expect(api.iam.deleteInstanceProfile('a', never)).rejects.toThrow('closed')
  expect(requests).toHaveLength(1)
  await expect(api.iam.getInstanceProfile('a', never)).rejects.not.toThrow('closed')
  expect(requests.length).toBeGreaterThan(1)
  await close()
})

describe('the region', () => {
  const answering =
    (texts: Readonly<Record<string, string>>): typeof fetch =>
    async (url) => {
      const path = new URL(String(url)).pathname
      const text = texts[path]
      return new Response(text ?? '', { status: text === undefined ? 404 : 200 })
    }
  test('is the given one, or else that of the environment, or else that of the instance', async () => {
    expect(await findRegion('eu-west-1', {})).toBe('eu-west-1')
    expect(await findRegion('', { AWS_DEFAULT_REGION: 'eu-west-2' })).toBe('eu-west-2')
    const metadata = answering({ '/latest/api/token': 'token', '/latest/meta-data/placement/region': 'eu-west-3' })
    expect(await findRegion('', {}, metadata)).toBe('eu-west-3')
  })
  test.each([
    ['no service answers', {}, async () => Promise.reject(new Error('no route'))],
    ['the service knows none', {}, answering({ '/latest/api/token': 'token' })],
    ['the service is turned off', { AWS_EC2_METADATA_DISABLED: 'true' }, answering({})],
  ] as const)('is reported as missing if %s', async (_case, env, request) => {
    await expect(findRegion('', env, request)).rejects.toMatchObject({ code: 'NoRegion' })
  })
})
