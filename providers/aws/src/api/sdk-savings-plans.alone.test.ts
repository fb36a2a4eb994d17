import { once } from 'node:events'
import { createServer } from 'node:http'
import { PrometheusMetrics, SystemClock } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { savingsPlansRequest, sdkSavingsPlans } from './sdk-savings-plans.ts'

const never = new AbortController().signal

/** Starts a service that returns these answers in order and records the requests. */
const harness = async (answers: readonly { readonly status: number; readonly body: unknown }[]) => {
  const requests: { readonly url: string; readonly authorization: string; readonly body: unknown }[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const answer = answers[requests.length]
      requests.push({
        url: incoming.url ?? '',
        authorization: incoming.headers.authorization ?? '',
        body: JSON.parse(Buffer.concat(chunks).toString()),
      })
      outgoing
        .writeHead(answer?.status ?? 500, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer?.body ?? {}))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIDEXAMPLE'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
  const api = sdkSavingsPlans({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${port}`,
    maxAttempts: 1,
    version: '1.2.3',
    clock: new SystemClock(),
    metrics: new PrometheusMetrics(),
  })
  return { api, requests }
}

test('all pages of plans are read, with one endpoint for all regions', async () => {
  const plan = {
    savingsPlanId: 'a',
    savingsPlanType: 'EC2Instance',
    region: 'eu-central-1',
    ec2InstanceFamily: 'm6i',
    commitment: '1.50000000',
    currency: 'USD',
    start: '2026-01-01T00:00:00.000Z',
    end: '2027-01-01T00:00:00.000Z',
  }
  const { api, requests } = await harness([
    { status: 200, body: { savingsPlans: [plan], nextToken: 'more' } },
    { status: 200, body: { savingsPlans: [{ savingsPlanId: 'b', savingsPlanType: 'Compute' }] } },
  ])
  expect(await api.describeSavingsPlans(never)).toEqual([
    {
      id: 'a',
      kind: 'EC2Instance',
      region: 'eu-central-1',
      instanceFamily: 'm6i',
      commitment: '1.50000000',
      currency: 'USD',
      start: '2026-01-01T00:00:00.000Z',
      end: '2027-01-01T00:00:00.000Z',
    },
    { id: 'b', kind: 'Compute', region: '', instanceFamily: '', commitment: '', currency: '', start: '', end: '' },
  ])
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ['/DescribeSavingsPlans', { states: ['active'], maxResults: 1000 }],
    ['/DescribeSavingsPlans', { states: ['active'], maxResults: 1000, nextToken: 'more' }],
  ])
  expect(requests[0]?.authorization).toContain('/us-east-1/savingsplans/aws4_request')
  expect(savingsPlansRequest({ region: 'eu-central-1', version: '1' }, 'DescribeSavingsPlans', {}).hostname).toBe(
    'savingsplans.amazonaws.com',
  )
})

test('only hourly rates for EC2, Linux and shared tenancy of the region are read', async () => {
  const properties = (region: string, tenancy = 'shared', productDescription = 'Linux/UNIX') =>
    Object.entries({ region, tenancy, productDescription, instanceType: 'm6i.large', instanceFamily: 'm6i' }).map(
      ([name, value]) => ({ name, value }),
    )
  const rate = {
    rate: '0.0605',
    currency: 'USD',
    unit: 'Hrs',
    productType: 'EC2',
    serviceCode: 'AmazonEC2',
    usageType: 'EUC1-BoxUsage:m6i.large',
    operation: 'RunInstances',
    properties: properties('eu-central-1'),
  }
  const { api, requests } = await harness([
    {
      status: 200,
      body: {
        savingsPlanId: 'a',
        searchResults: [
          rate,
          { ...rate, usageType: 'EUC1-UnusedBox:m6i.large' },
          { ...rate, productType: 'Fargate' },
          { ...rate, properties: properties('eu-west-1') },
          { ...rate, properties: properties('eu-central-1', 'dedicated') },
          { ...rate, properties: properties('eu-central-1', 'shared', 'Windows') },
          { ...rate, unit: 'Lambda-GB-Second' },
        ],
      },
    },
  ])
  expect(await api.describeSavingsPlanRates('a', 'eu-central-1', never)).toEqual([
    { instanceType: 'm6i.large', rate: '0.0605' },
  ])
  expect(requests[0]?.body).toEqual({
    savingsPlanId: 'a',
    filters: [
      { name: 'region', values: ['eu-central-1'] },
      { name: 'productDescription', values: ['Linux/UNIX'] },
      { name: 'tenancy', values: ['shared'] },
    ],
    maxResults: 1000,
  })
})

test('a refusal has the class of a missing permission', async () => {
  const { api } = await harness([{ status: 403, body: { __type: 'AccessDeniedException', message: 'no' } }])
  const error = await api.describeSavingsPlans(never).catch((thrown: unknown) => thrown)
  expect(classifyAwsFailure(error)).toMatchObject({ code: 'AccessDenied', class: 'unauthorized' })
})
