import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrometheusMetrics, SystemClock } from '@kerf/runtime'
import { issueCertificate } from '@kerf/runtime/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { awsErrors } from '../failures/aws-errors.ts'
import { awsNetwork } from './network.ts'
import { sdkApi } from './sdk-api.ts'

const never = new AbortController().signal
const REGION = 'us-east-1'
const HOSTS = ['ec2', 'ssm', 'iam', 'api.pricing', 'sqs', 'eks', 'sts', 'arc-zonal-shift'].map((service) =>
  service === 'iam' ? 'iam.amazonaws.com' : `${service}.${REGION}.amazonaws.com`,
)

const closing: (() => void)[] = []
const variables = Object.keys(process.env).filter((name) => /^AWS_|_proxy$/i.test(name))
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]))

beforeEach(() => {
  for (const name of Object.keys(process.env).filter((each) => /^AWS_|_proxy$/i.test(each))) delete process.env[name]
  process.env['AWS_ACCESS_KEY_ID'] = 'test'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
  for (const name of Object.keys(process.env).filter((each) => /^AWS_|_proxy$/i.test(each))) delete process.env[name]
  Object.assign(process.env, before)
})

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Creates a TLS server that simulates AWS, with its own certificate authority, and a proxy that connects every tunnel to this server. */
const harness = async () => {
  const authority = issueCertificate('the company')
  const { cert, key } = issueCertificate('aws', { issuer: authority, dnsNames: HOSTS })
  const requests: { readonly host: string; readonly body: string; readonly path: string }[] = []
  const sockets = new Set<Socket>()
  const answers: { body: (asked: { readonly host: string; readonly body: string }) => string | undefined } = {
    body: () => undefined,
  }
  const read = async (incoming: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }
  const aws = createTlsServer({ cert, key }, async (incoming, outgoing) => {
    const asked = { host: incoming.headers.host ?? '', body: await read(incoming), path: incoming.url ?? '' }
    requests.push(asked)
    const answer = answers.body(asked)
    outgoing.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'text/xml' })
    outgoing.end(answer ?? '<Response><Errors><Error><Code>Refused</Code></Error></Errors></Response>')
  })
  const awsPort = await listening(aws)
  const tunnels: string[] = []
  const plain: string[] = []
  const authorizations: (string | undefined)[] = []
  let refusal: string | undefined
  const proxy = createServer((incoming, outgoing) => {
    plain.push(`${incoming.method} ${incoming.url}`)
    outgoing.writeHead(400).end()
  })
  proxy.on('connect', ({ url = '', headers }, client: Socket) => {
    tunnels.push(url)
    authorizations.push(headers['proxy-authorization'])
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
      return
    }
    const server = connect(awsPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  const proxyPort = await listening(proxy)
  const folder = mkdtempSync(join(tmpdir(), 'kerf-network-'))
  const bundle = join(folder, 'bundle.pem')
  writeFileSync(bundle, `# of the company\n${issueCertificate('another').cert}\n${authority.cert}`)
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of [aws, proxy]) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(folder, { recursive: true })
  })
  const api = (env: Readonly<Record<string, string>>, endpoint?: string) =>
    sdkApi({
      region: REGION,
      maxAttempts: 1,
      version: '1.2.3',
      clock: new SystemClock(),
      metrics: new PrometheusMetrics(),
      network: awsNetwork(env),
      ...(endpoint === undefined ? {} : { endpoint }),
    })
  return {
    api,
    answers,
    requests,
    tunnels,
    plain,
    authorizations,
    sockets,
    folder,
    env: { HTTPS_PROXY: `http://kerf:p%40ss@127.0.0.1:${proxyPort}`, AWS_CA_BUNDLE: bundle },
    proxy: `http://127.0.0.1:${proxyPort}`,
    refuse: (status: string) => {
      refusal = status
    },
  }
}

const subnets = `<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><subnetSet><item><subnetId>subnet-1</subnetId></item></subnetSet></DescribeSubnetsResponse>`

const thrownError = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

test('requests use the proxy, with its user and password, and reach servers that the bundle trusts', async () => {
  const { api, answers, env, tunnels, authorizations, requests } = await harness()
  answers.body = () => subnets
  const { ec2 } = api(env)
  for (let request = 0; request < 5; request++) {
    expect(await ec2.describeSubnets([], never)).toEqual([{ SubnetId: 'subnet-1' }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(requests.map(({ host }) => host)).toEqual(Array.from({ length: 5 }, () => `ec2.${REGION}.amazonaws.com`))
  // The connection pool reuses idle tunnels, so five requests need fewer than five tunnels.
  expect(tunnels.length).toBeLessThan(5)
  expect(new Set(tunnels)).toEqual(new Set([`ec2.${REGION}.amazonaws.com:443`]))
  expect(new Set(authorizations)).toEqual(new Set([`Basic ${Buffer.from('kerf:p@ss').toString('base64')}`]))
})

test('every service uses the same proxy', async () => {
  const { api, env, tunnels, requests } = await harness()
  const { ec2, ssm, iam, pricing, sqs, eks, sts, zonalShift } = api(env)
  await Promise.allSettled([
    ec2.describeSubnets([], never),
    ec2.tryRunInstances({ MinCount: 1, MaxCount: 1 }, never),
    ssm.getParameter('/a', never),
    iam.getInstanceProfile('a', never),
    pricing.getProducts('AmazonEC2', {}, never),
    sqs.queueUrl('a', never),
    eks.describeCluster('a', never),
    sts.callerIdentity(never),
    zonalShift.getManagedResource('arn:aws:eks:us-east-1:123456789012:cluster/demo', never),
  ])
  expect(new Set(tunnels)).toEqual(new Set(HOSTS.map((host) => `${host}:443`)))
  expect(new Set(requests.map(({ host }) => host))).toEqual(new Set(HOSTS))
  expect(requests.find(({ host }) => host.startsWith('eks.'))?.path).toBe('/clusters/a')
})

test('without the bundle, a server with an unknown certificate authority is not trusted', async () => {
  const { api, env, tunnels, requests } = await harness()
  const error = await thrownError(api({ HTTPS_PROXY: env.HTTPS_PROXY }).ec2.describeSubnets([], never))
  expect(error.message).toMatch(/certificate/)
  expect(error.message).not.toContain('p%40ss')
  expect(tunnels).toHaveLength(1)
  expect(requests).toEqual([])
})

test('NO_PROXY is respected, and the bundle also works without a proxy', async () => {
  const { api, env, tunnels, answers } = await harness()
  // Requests to loopback addresses never use the proxy, but they still trust the CA bundle.
  answers.body = () => subnets
  const direct = await harness()
  direct.answers.body = () => subnets
  const own = createTlsServer(issueCertificate('alone'), (_incoming, outgoing) => outgoing.end(subnets))
  const port = await listening(own)
  closing.push(() => own.close())
  const refused = await thrownError(api(env, `https://127.0.0.1:${port}`).ec2.describeSubnets([], never))
  expect(refused.message).toMatch(/certificate/)
  expect(tunnels).toEqual([])
  const exempt = { ...env, NO_PROXY: '.example.invalid' }
  await thrownError(api(exempt, 'https://ec2.example.invalid').ec2.describeSubnets([], never))
  expect(tunnels).toEqual([])
  await api(exempt).ec2.describeSubnets([], never)
  expect(tunnels).toEqual([`ec2.${REGION}.amazonaws.com:443`])
})

test('without a proxy, only the bundle is trusted', async () => {
  const { api, env, folder } = await harness()
  const issued = issueCertificate('alone')
  const server = createTlsServer(issued, (_incoming, outgoing) => outgoing.end(subnets))
  const port = await listening(server)
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = `https://127.0.0.1:${port}`
  const file = join(folder, 'alone.pem')
  writeFileSync(file, issued.cert)
  expect(await api({ AWS_CA_BUNDLE: file }, endpoint).ec2.describeSubnets([], never)).toHaveLength(1)
  const error = await thrownError(api({ AWS_CA_BUNDLE: env.AWS_CA_BUNDLE }, endpoint).ec2.describeSubnets([], never))
  expect(error.message).toMatch(/certificate/)
})

test('the role of the service account is also requested through the proxy', async () => {
  const { api, env, answers, folder, tunnels, requests } = await harness()
  delete process.env['AWS_ACCESS_KEY_ID']
  delete process.env['AWS_SECRET_ACCESS_KEY']
  const token = join(folder, 'token')
  writeFileSync(token, 'a token')
  process.env['AWS_WEB_IDENTITY_TOKEN_FILE'] = token
  process.env['AWS_ROLE_ARN'] = 'arn:aws:iam::123456789012:role/karpenter'
  process.env['AWS_REGION'] = REGION
  // This response has the format that the STS API reference defines for AssumeRoleWithWebIdentity.
  answers.body = ({ body }) =>
    body.includes('Action=AssumeRoleWithWebIdentity')
      ? `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><SessionToken>s</SessionToken><SecretAccessKey>k</SecretAccessKey><Expiration>2100-01-01T00:00:00Z</Expiration><AccessKeyId>ASIAEXAMPLE</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></AssumeRoleWithWebIdentityResponse>`
      : subnets
  expect(await api(env).ec2.describeSubnets([], never)).toHaveLength(1)
  expect(tunnels).toEqual([`sts.${REGION}.amazonaws.com:443`, `ec2.${REGION}.amazonaws.com:443`])
  expect(requests.map(({ host }) => host)).toEqual([`sts.${REGION}.amazonaws.com`, `ec2.${REGION}.amazonaws.com`])
})

test.each([
  ['the metadata service', { AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://metadata.invalid' }],
  [
    'the credentials of Pod Identity',
    {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23:1/v1/credentials',
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'a',
    },
  ],
])('%s is never requested through a proxy', async (_what, more) => {
  const { api, env, proxy, tunnels, plain } = await harness()
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_EC2_METADATA_DISABLED'])
    delete process.env[name]
  Object.assign(process.env, { ...more, AWS_REGION: REGION, AWS_METADATA_SERVICE_NUM_ATTEMPTS: '1' })
  const proxies = { HTTP_PROXY: proxy, HTTPS_PROXY: env.HTTPS_PROXY, AWS_CA_BUNDLE: env.AWS_CA_BUNDLE }
  Object.assign(process.env, proxies)
  const error = await thrownError(api(proxies).ec2.describeSubnets([], AbortSignal.timeout(5_000)))
  expect(error).toBeInstanceOf(Error)
  expect([tunnels, plain]).toEqual([[], []])
})

test('an endpoint without TLS uses HTTP_PROXY, without a tunnel', async () => {
  const { api, proxy, plain, tunnels } = await harness()
  await thrownError(api({ HTTP_PROXY: proxy }, 'http://ec2.example.invalid').ec2.describeSubnets([], never))
  expect(plain).toEqual(['POST http://ec2.example.invalid/'])
  expect(tunnels).toEqual([])
})

test.each([
  ['407 Proxy Authentication Required', /407/],
  ['403 Forbidden', /403/],
])('a proxy that answers %s is named in the error, without its password', async (status, expected) => {
  const { api, env, refuse } = await harness()
  refuse(status)
  const error = await thrownError(api(env).ec2.describeSubnets([], never))
  expect(error.message).toMatch(
    /ec2\.us-east-1\.amazonaws\.com cannot be reached through proxy http:\/\/127\.0\.0\.1:\d+: /,
  )
  expect(error.message).toMatch(expected)
  expect(error.message).not.toContain('p%40ss')
})

test('a tunnel that breaks during a request may be retried; an aborted request is not retried', async () => {
  const { api, env, answers, sockets, tunnels } = await harness()
  answers.body = () => {
    for (const socket of sockets) socket.destroy()
    return subnets
  }
  const error = await thrownError(api(env).ec2.describeSubnets([], never))
  expect(error).toMatchObject({ name: 'TimeoutError', code: 'ECONNRESET' })
  const giveUp = new AbortController()
  answers.body = () => {
    giveUp.abort(new Error('enough'))
    return subnets
  }
  const count = tunnels.length
  expect(await thrownError(api(env).ec2.describeSubnets([], giveUp.signal))).toMatchObject({ name: 'AbortError' })
  expect(tunnels).toHaveLength(count + 1)
})

test('an unusable bundle is reported immediately, with the reason', async () => {
  const { folder } = await harness()
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const damaged = issueCertificate('a').cert.replace(/\n[A-Za-z0-9+/]{64}\n/, '\n')
  for (const [path, problem] of [
    [join(folder, 'none.pem'), /ENOENT/],
    [file('empty.pem', 'nothing'), /it contains no certificate in PEM format/],
    [file('damaged.pem', damaged), /its certificate 1 cannot be read/],
  ] as const) {
    const error = await thrownError((async () => awsNetwork({ AWS_CA_BUNDLE: path }))())
    expect(awsErrors.UnreadableCaBundle.is(error), path).toBe(true)
    expect(error.message).toMatch(problem)
    expect(error.message).toContain(path)
  }
  expect(awsNetwork({ AWS_CA_BUNDLE: '' })).toMatchObject({ hasProxy: false })
})
