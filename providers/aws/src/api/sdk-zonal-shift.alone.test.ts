import { once } from 'node:events'
import { createServer } from 'node:http'
import { PrometheusMetrics, SystemClock } from '@kerf/runtime'
import { SignatureV4 } from '@smithy/signature-v4'
import { expect, test } from 'vitest'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { managedResourceRequest, sdkZonalShift } from './sdk-zonal-shift.ts'

const never = new AbortController().signal
const ARN = 'arn:aws:eks:us-east-1:123456789012:cluster/demo'
const PATH = '/managedresources/arn%3Aaws%3Aeks%3Aus-east-1%3A123456789012%3Acluster%2Fdemo'
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

test('the request has the same signature as with the SDK for Go', async () => {
  // This signature was recorded with SignHTTP of aws-sdk-go-v2/aws/signer/v4, for this time and these keys and headers.
  const recorded =
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261123/us-east-1/arc-zonal-shift/aws4_request, SignedHeaders=accept;host;x-amz-content-sha256;x-amz-date, Signature=2c25a1e1fb13019608a719d577d6f691c1aef2d68da3d84f7c3dd79398cd41b2'
  const { STSClient } = await import('./clients/sts.ts')
  const { sha256 } = new STSClient({ region: 'us-east-1' }).config
  const signer = new SignatureV4({ service: 'arc-zonal-shift', region: 'us-east-1', credentials: keys, sha256 })
  const request = managedResourceRequest({ region: 'us-east-1', version: '1' }, ARN)
  const signed = await signer.sign(request, { signingDate: new Date('2026-11-23T06:00:00Z') })
  expect(signed.headers['authorization']).toBe(recorded)
  expect(request).toMatchObject({ hostname: 'arc-zonal-shift.us-east-1.amazonaws.com', path: PATH })
  expect(managedResourceRequest({ region: 'cn-north-1', version: '1' }, ARN).hostname).toBe(
    'arc-zonal-shift.cn-north-1.amazonaws.com.cn',
  )
})

/** Starts a service that gives this answer and records the requests. */
const harness = async (answer: {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: string
}) => {
  const requests: { readonly url: string; readonly authorization: string }[] = []
  const server = createServer((incoming, outgoing) => {
    requests.push({ url: incoming.url ?? '', authorization: incoming.headers.authorization ?? '' })
    outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.env['AWS_ACCESS_KEY_ID'] = keys.accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = keys.secretAccessKey
  const metrics = new PrometheusMetrics()
  const api = sdkZonalShift({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    maxAttempts: 1,
    version: '1.2.3',
    clock: new SystemClock(),
    metrics,
  })
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { api, requests, metrics, close }
}

test('shifts and autoshifts are parsed as in the API model', async () => {
  // The AWS SDK for Go parses this body into the same shifts.
  const body = JSON.stringify({
    arn: ARN,
    name: 'demo',
    appliedWeights: { 'use1-az1': 0.0, 'use1-az2': 0.0 },
    zonalShifts: [
      {
        appliedStatus: 'APPLIED',
        zonalShiftId: 'x',
        resourceIdentifier: ARN,
        awayFrom: 'use1-az1',
        expiryTime: 1790000000.5,
        startTime: 1.78e9,
        comment: 'c',
      },
      { appliedStatus: 'NOT_APPLIED', awayFrom: 'use1-az3', expiryTime: 1790000001 },
    ],
    autoshifts: [{ appliedStatus: 'APPLIED', awayFrom: 'use1-az2', startTime: 1 }],
  })
  const { api, requests, metrics, close } = await harness({ status: 200, body })
  try {
    expect(await api.getManagedResource(ARN, never)).toEqual({
      shifts: [
        { awayFrom: 'use1-az1', isApplied: true, expiresAt: 1790000000500 },
        { awayFrom: 'use1-az3', isApplied: false, expiresAt: 1790000001000 },
        { awayFrom: 'use1-az2', isApplied: true },
      ],
    })
    expect(requests).toEqual([
      { url: PATH, authorization: expect.stringContaining('/us-east-1/arc-zonal-shift/aws4_request') },
    ])
    expect(await metrics.text()).toContain(
      'aws_sdk_go_request_total{service="ARC Zonal Shift",action="GetManagedResource",status_code="200"} 1',
    )
  } finally {
    await close()
  }
})

test.each([
  [404, { 'x-amzn-errortype': 'ResourceNotFoundException:' }, '{"message":"no"}', 'ResourceNotFound', 'other'],
  [403, {}, '{"__type":"com.amazon#AccessDeniedException","Message":"no"}', 'AccessDenied', 'unauthorized'],
  [429, { 'x-amzn-errortype': 'ThrottlingException' }, '', 'Throttling', 'rate-limited'],
  [500, { 'x-amzn-errortype': 'InternalServerException' }, '<html>', 'InternalServer', 'server'],
  [503, {}, 'busy', 'Http503', 'server'],
  [200, {}, '<html>', 'KerfError', 'server'],
] as const)('%d %j is a failure with its own code', async (status, headers, body, code, kind) => {
  const { api, close } = await harness({ status, headers, body })
  try {
    const error = await api.getManagedResource(ARN, never).catch((thrown: unknown) => thrown)
    expect(classifyAwsFailure(error)).toMatchObject({ code, class: kind })
  } finally {
    await close()
  }
})
